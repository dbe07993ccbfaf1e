import type { TicketsQuery } from '@lodge/shared/support/tickets.ts'
import { and, desc, inArray, type SQL, sql } from 'drizzle-orm'
import type { User } from '../../../actor.ts'
import type { Db } from '../../../db/database.ts'
import { madeAt } from '../../../db/timed-ids.ts'
import { nearWords } from '../words/store.ts'
import { dated, marksSince, partsOf } from './dated-store.ts'
import { matching, movedAt } from './list-store.ts'
import { isStaff } from './reader.ts'
import { type SummaryRow, summaries } from './summary-store.ts'
import { supportMessages as message, supportTickets as ticket } from './tables.ts'
import { LANGUAGE } from './thread-store.ts'

/** Of words that are everywhere, the newest messages and tickets are ranked. */
const MOST_RANKED = 200
/** In a view of few tickets: those of it that changed last. */
const MOST_IN_VIEW = 5_000
/** An identifier is made by the clock of the control plane, maybe some moments after the message. */
const CLOCKS_APART_SECONDS = 3_600
/** So few tickets may mean that a word is misspelt, or has only been begun. */
const FEW = 5
/**
 * For one search: it is planned for its words, since a rare one needs another plan than a frequent one,
 * and by indexes, most of which are in memory; a bitmap that does not fit would be read again row by row.
 */
const SEARCHING = sql`select set_config('plan_cache_mode', 'force_custom_plan', true),
  set_config('jit', 'off', true), set_config('max_parallel_workers_per_gather', '0', true),
  set_config('random_page_cost', '1.1', true), set_config('work_mem', '32MB', true)`

/**
 * Tickets in which the words occur, the best first; where they are few, those in which words occur that
 * may have been meant follow. Notes are searched for the staff alone.
 * @param db of a transaction that does nothing else
 */
export async function searchTickets(
  db: Db,
  actor: User,
  query: TicketsQuery,
): Promise<SummaryRow[]> {
  await db.execute(SEARCHING)
  const asked = await askedBy(db, actor, query)
  const words = sql`websearch_to_tsquery(${LANGUAGE}, ${query.q})`
  const found = new Map(await find(db, asked, words))
  if (found.size < Math.min(FEW, query.limit)) {
    const meant = await alsoMeant(db, query.q, words)
    const more = meant ? await find(db, asked, meant) : []
    // Behind what was asked for, whatever their score is.
    for (const [id, score] of more) if (!found.has(id)) found.set(id, score - 10)
  }
  const ids = [...found.keys()].slice(0, query.limit)
  if (ids.length === 0) return []
  const rows = await summaries(db, actor).where(inArray(ticket.id, ids))
  const place = new Map(ids.map((id, at) => [id, at]))
  return rows.sort((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0))
}

/** Each kind of what is looked for is found by its index, among what the caller may see and asks for. */
async function find(db: Db, asked: Asked, words: SQL): Promise<[string, number][]> {
  const { query, condition } = asked
  const number = Number(/^(?:t-)?0*(\d{1,9})$/i.exec(query.q)?.[1] ?? 0)
  const { rows } = await db.execute<{ id: string; score: number }>(sql`
    select id, sum(score) as score from (
      (select id, max(ts_rank(words, ${words})) as score from (${said(asked, words)}) said group by id)
      union all (select id, 1 from (${titled(asked, words)}) titled)
      union all (select ${ticket.id}, 2 from ${ticket}
        where ${and(sql`${ticket.number} = ${number}`, condition)})
    ) part group by id order by score desc, id desc limit ${query.limit}`)
  return rows.map(({ id, score }) => [id, score])
}

/** What somebody looks for, and where. */
interface Asked {
  readonly query: TicketsQuery
  readonly staff: boolean
  /** Which tickets they may see and ask for. */
  readonly condition: SQL | undefined
  /** Those tickets, where they are so few that PostgreSQL should know them. */
  readonly few: Few | undefined
}

interface Few {
  readonly ids: readonly string[]
  /** What each of their messages has in the index: then those of older tickets are not read. */
  readonly marks: string | undefined
}

async function askedBy(db: Db, actor: User, query: TicketsQuery): Promise<Asked> {
  const condition = matching(actor, query)
  const staff = isStaff(actor)
  if (!isNarrow(staff, query)) return { query, staff, condition, few: undefined }
  return { query, staff, condition, few: await fewOf(db, condition, movedAt(actor)) }
}

/** A ticket that was split off is younger than its messages, so their identifiers say how old those are. */
async function fewOf(
  db: Db,
  condition: SQL | undefined,
  moved: ReturnType<typeof movedAt>,
): Promise<Few> {
  const { rows } = await db.execute<{ ids: string[]; seconds: number | null }>(sql`
    with few as materialized (select ${ticket.id} from ${ticket} where ${condition}
      order by ${desc(ticket[moved])} limit ${MOST_IN_VIEW})
    select coalesce(array_agg(few.id), '{}') as ids,
      extract(epoch from ${madeAt(sql`min(first.id::text)`)})::float8 as seconds
    from few left join lateral (
      select ${message.id} from ${message} where ${message.ticketId} = few.id
      order by ${message.id} limit 1) first on true`)
  const { ids = [], seconds = null } = rows[0] ?? {}
  const since = seconds === null ? undefined : new Date((seconds - CLOCKS_APART_SECONDS) * 1000)
  return { ids, marks: since && marksSince(since, new Date()) }
}

const isNarrow = (staff: boolean, { view = 'all', ...query }: TicketsQuery): boolean =>
  !staff ||
  !['all', 'solved'].includes(view) ||
  [query.requesterId, query.serverId, query.assigneeId].some((id) => id !== undefined)

/** The newest messages in which the words occur. */
function said({ staff, condition, few }: Asked, words: SQL): SQL {
  const { words: own, createdAt, ticketId, id } = message
  const seen = staff ? undefined : sql`${message.kind} <> 'note' and not ${message.held}`
  const among = few
    ? sql`${ticketId} = any(${sql.param([...few.ids])}::uuid[])`
    : condition &&
      sql`exists (select from ${ticket} where ${ticket.id} = ${ticketId} and ${condition})`
  const part = (wanted: SQL, before?: Date) => {
    const isFound = sql`(${dated(sql`${own}`, createdAt)}) @@ (${wanted})`
    const older = before && sql`${createdAt} < ${before}`
    return sql`select ${ticketId} as id, ${own} as words from ${message}
      where ${and(isFound, older, seen, among)}
      order by ${createdAt} desc, ${id} desc limit ${MOST_RANKED}`
  }
  return few ? part(withMarks(words, few.marks)) : newestFirst(words, part)
}

/** The newest tickets that have the words in their subjects. */
function titled({ condition, few }: Asked, words: SQL): SQL {
  const { createdAt, id, subject } = ticket
  const own = dated(sql`to_tsvector(${LANGUAGE}, ${subject})`, createdAt)
  const among = few ? sql`${id} = any(${sql.param([...few.ids])}::uuid[])` : condition
  const part = (wanted: SQL, before?: Date) => {
    const older = before && sql`${createdAt} < ${before}`
    return sql`select ${id} from ${ticket} where ${and(sql`(${own}) @@ (${wanted})`, older, among)}
      order by ${createdAt} desc, ${id} desc limit ${MOST_RANKED}`
  }
  return few ? part(words) : newestFirst(words, part)
}

const withMarks = (words: SQL, marks: string | undefined): SQL =>
  marks === undefined ? words : sql`${words} && ${marks}::tsquery`

/** Goes back in time until enough is found: PostgreSQL begins with a part when those before it were too few. */
function newestFirst(words: SQL, part: (wanted: SQL, before?: Date) => SQL): SQL {
  const parts = partsOf(new Date()).map(({ marks, before }) => {
    return sql`(${part(withMarks(words, marks), before)})`
  })
  return sql`select * from (${sql.join(parts, sql` union all `)}) found limit ${MOST_RANKED}`
}

/** The same question with what its words may have meant, if there is anything. */
async function alsoMeant(db: Db, asked: string, words: SQL): Promise<SQL | undefined> {
  // What must not occur is not guessed: it would hide what was meant.
  const wanted = asked.replaceAll(/(?:^|\s)-\S+/g, ' ')
  const near = await nearWords(db, LANGUAGE, wanted)
  if (near.size === 0) return undefined
  const quoted = (word: string) => `'${word}'`
  return [...near].reduce(
    (query, [given, others]) =>
      sql`ts_rewrite(${query}, ${quoted(given)}::tsquery, ${[given, ...others].map(quoted).join(' | ')}::tsquery)`,
    words,
  )
}
