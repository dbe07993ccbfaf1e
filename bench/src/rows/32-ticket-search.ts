import type pg from 'pg'
import { quantile } from '../measure/rounds.ts'
import type { Row } from '../row.ts'
import { insertFleet } from '../stage/fleet-rows.ts'
import { httpBurst, requestBytes } from '../stage/http-load.ts'
import { ourSide } from '../stage/sides.ts'

const MESSAGES_EACH = 4
const WORDS_EACH = 40

/** A search of the desk and a list of it, as an agent sees them, among a million messages. */
export const ticketSearch: Row = {
  number: 32,
  name: 'tickets.search',
  seconds: 1_200,
  async run(bench) {
    const messages = bench.long ? 1_000_000 : 100_000
    const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
    const { adminCookie } = await insertFleet(database.pool, { nodes: 1 })
    await insertTickets(database.pool, messages)
    bench.say(`${messages} messages`)
    const { rows } = await database.pool.query<{ words: string[] }>(
      `select array(select bench_word((${SKEWED} * 30000)::int) from generate_series(1, 400)) words`,
    )
    const words = rows[0]?.words ?? []
    const side = await ourSide(bench, database)
    const timed = async (queries: readonly string[]) => {
      let at = 0
      const next = () => {
        const query = queries[at++ % queries.length]
        return requestBytes('GET', `/api/support/tickets?${query}`, { cookie: adminCookie })
      }
      await httpBurst(side, next, { connections: 1, seconds: 1 })
      const burst = await httpBurst(side, next, { connections: 1, seconds: bench.long ? 20 : 5 })
      return burst.latenciesMs
    }
    const search = (q: string, view: string) => new URLSearchParams({ q, view }).toString()
    const kinds: Record<string, string[]> = {
      'one word': words.map((word) => search(word, 'all')),
      'one word among the open ones': words.map((word) => search(word, 'open')),
      'two words': words.map((word, at) => search(`${word} ${words[at - 1] ?? word}`, 'all')),
      'a word that is misspelt': words.map((word) =>
        search(`${word.slice(0, 3)}${word.slice(4)}`, 'all'),
      ),
      'a number': words.map((_, at) => search(`T-${100 + at * 7}`, 'all')),
      lists: ['open', 'unassigned', 'mine', 'solved', 'spam'].map((view) => `view=${view}`),
    }
    const found = []
    for (const [what, queries] of Object.entries(kinds)) {
      const latencies = await timed(queries)
      found.push({
        what: `${what}, p95 of ${messages} messages`,
        value: quantile(latencies, 0.95),
        unit: 'ms',
        target: { atMost: 50 },
        detail: { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) },
      })
    }
    return found
  },
}

/** Few words are everywhere, most are rare, as in any language. */
const SKEWED = 'power(random(), 4)'

async function insertTickets(pool: pg.Pool, messages: number): Promise<void> {
  const tickets = messages / MESSAGES_EACH
  await pool.query(
    `create function bench_word(n int) returns text language sql immutable as $$
       select string_agg((array['ba','ke','lim','tor','si','wen','po','dra','mu','fel','ga','nit','ro','shu',
         'vo','kar','ti','lo','xan','ye','be','cor','du','est','fa','gri','hol','ju','ki','lan','mer','no',
         'pel','qua','ras','sto','tan','ul','vis','zo'])[1 + n / power(40, at)::int % 40], '' order by at)
       from generate_series(0, 2) at $$`,
  )
  await pool.query(
    'create table bench_words as select n, bench_word(n) word from generate_series(0, 30000) n',
  )
  await pool.query('create unique index on bench_words (n)')
  // One text in ten is new, the others repeat: what is made of them is what takes the time.
  await pool.query(
    `create table bench_texts as
     select picked.n, string_agg(word, ' ') body, to_tsvector('english', string_agg(word, ' ')) words
     from (select n, (${SKEWED} * 30000)::int w from generate_series(1, ${messages / 10}) n,
       generate_series(1, ${WORDS_EACH})) picked join bench_words on bench_words.n = w group by picked.n`,
  )
  await pool.query('create unique index on bench_texts (n)')
  await pool.query('drop index support_messages_words')
  await pool.query(
    `insert into support_tickets (id, subject, status, priority, source, answers, requester_id, requester_email,
       spam, created_at, updated_at, touched_at, status_since, closed_at)
     select uuidv7(), (select string_agg(word, ' ') from bench_words
         where n in (seed, (seed * 7 + 11) % 30000, (seed * 13 + 5) % 30000, (seed * 29 + 1) % 300)),
       case when n <= ${tickets / 50} then 'open' else 'closed' end, 'normal', 'web', '{}', id, email, n % 100 = 1, at, at,
       at, at, case when n > ${tickets / 50} then at end
     from (select n, (${SKEWED} * 30000)::int seed, now() - make_interval(mins => n) as at
       from generate_series(${tickets}, 1, -1) n) made
       cross join (select id, email from users where email = 'customer0@example.org') who`,
  )
  await pool.query(
    `insert into support_messages (id, ticket_id, kind, author_kind, body, channel, created_at, words)
     select uuidv7(), ticket.id, 'reply', 'customer', body, 'web', ticket.created_at, text.words
     from support_tickets ticket cross join generate_series(0, ${MESSAGES_EACH - 1}) m
       join bench_texts text on text.n = 1 + (ticket.number * ${MESSAGES_EACH} + m) % ${messages / 10}`,
  )
  await pool.query('create index support_messages_words on support_messages using gin (words)')
  await pool.query('vacuum analyze')
}
