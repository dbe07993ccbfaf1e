import type { FilterTerm } from '@lodge/shared/lists/filter.ts'
import {
  type ServerField,
  type ServerSort,
  STATES_BY_URGENCY,
} from '@lodge/shared/lists/servers.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Position } from '../../../db/cursor.ts'
import { type Db, rowsAtMost } from '../../../db/database.ts'
import { likePattern } from '../../../db/like.ts'
import { inOrder, isAfter, keyIn, type Order, type SortKey } from '../../../db/ordered.ts'
import { storagesNamed } from '../storage-store.ts'
import { HELD, STATUS } from './status-store.ts'

const ID = sql.raw('s.id')
const NOTHING = sql.raw('false')

const TEMPLATE: SQL = sql`coalesce(templates.name, (select p.name from machines m
  join vm_profiles p on p.id = m.profile_id where m.server_id = s.id), '')`

const words = (expression: SQL): SortKey => ({
  by: () => sql`lower(${expression})`,
  type: 'text',
})
/** Figures of a server that does not run are unknown; they come last in either direction. */
const figure = (column: string): SortKey => ({
  by: (descending) => sql`coalesce(case when s.observed_state in ('running', 'starting')
    then ${sql.raw(column)} end::double precision, ${sql.raw(descending ? `'-1'` : `'Infinity'`)})`,
  type: 'double precision',
})

/** Sort keys of servers. Figures have no index, because every sample would rewrite it. */
export const SERVER_SORT_KEYS: Readonly<Record<ServerSort, SortKey>> = {
  name: words(sql.raw('s.name')),
  state: {
    by: () =>
      sql`array_position(${sql.param([...STATES_BY_URGENCY])}::text[], ${STATUS})::double precision`,
    type: 'double precision',
  },
  template: words(TEMPLATE),
  owner: words(sql.raw('users.email')),
  node: words(sql.raw('nodes.name')),
  cpu: figure('u.cpu'),
  memory: figure('u.memory'),
  disk: figure('u.disk'),
  created: { by: () => undefined, type: 'text' },
}

/** Whose servers: all, somebody's own, those shared with somebody, or both. */
export interface Whose {
  readonly ownerId?: string | undefined
  readonly sharedWith?: string | undefined
}

export interface Wanted {
  /** Servers of any of these; undefined for every server. */
  readonly whose: Whose | undefined
  readonly nodeId: string | undefined
  /** Statuses of which one must apply. */
  readonly status: readonly string[] | undefined
  /** Text that the name or the owner's address contains, literally. */
  readonly q: string | undefined
  readonly terms: readonly FilterTerm[]
  /** The caller, for `whose:mine`, their folders and their favourites. */
  readonly askerId: string
}

const ownedBy = (id: string): SQL => sql`s.owner_id = ${id}::uuid`
const reaches = (id: string): SQL =>
  sql`s.id in (select server_id from server_collaborators where user_id = ${id}::uuid)`

/** Servers with a mark of this person that meets a condition. */
const marked = (userId: string, how: SQL): SQL =>
  sql`s.id = any(array(select server_id from server_marks where user_id = ${userId}::uuid and ${how}))`

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** An id, or a whole name, case-insensitive, in which `*` matches anything. */
const named = (name: string, id: string, value: string): SQL =>
  UUID.test(value)
    ? sql`${sql.raw(id)} = ${value}::uuid`
    : sql`${sql.raw(name)} ilike ${likePattern(value, { stars: true })}`

const MATCHES: Readonly<Record<ServerField, (value: string, askerId: string) => SQL>> = {
  state: (value) => sql`${STATUS} = ${value.toLowerCase().replaceAll(/[ -]/g, '_')}`,
  kind: (value) => sql`s.kind = ${value.toLowerCase()}`,
  node: (value) => named('nodes.name', 'nodes.id', value),
  location: (value) => sql`nodes.location ilike ${likePattern(value, { stars: true })}`,
  storage: (value) => {
    if (value.toLowerCase() === 'none') return sql.raw('s.storage_id is null')
    return UUID.test(value)
      ? sql`s.storage_id = ${value}::uuid`
      : sql`s.storage_id in ${storagesNamed(likePattern(value, { stars: true }))}`
  },
  template: (value) =>
    UUID.test(value)
      ? sql`s.template_id = ${value}::uuid`
      : sql`${TEMPLATE} ilike ${likePattern(value, { stars: true })}`,
  owner: (value) => named('users.email', 'users.id', value),
  whose: (value, askerId) => {
    if (value.toLowerCase() === 'mine') return ownedBy(askerId)
    return value.toLowerCase() === 'shared' ? reaches(askerId) : NOTHING
  },
  // The first condition is that of the index.
  tag: (value) => sql`(s.tags <> '{}' and s.tags @> ${sql.param([value.toLowerCase()])}::text[])`,
  folder: (value, askerId) =>
    marked(askerId, sql`folder ilike ${likePattern(value, { stars: true })}`),
  favourite: (value, askerId) =>
    value.toLowerCase() === 'yes' ? marked(askerId, sql.raw('favourite')) : NOTHING,
}

const either = (all: readonly SQL[]): SQL =>
  all.length === 0 ? NOTHING : sql`(${sql.join([...all], sql.raw(' or '))})`

function textIn(value: string, columns: readonly SQL[]): SQL {
  const pattern = `%${likePattern(value)}%`
  return either(columns.map((column) => sql`${column} ilike ${pattern}`))
}

const NAME_AND_OWNER = [sql.raw('s.name'), sql.raw('users.email')]
const ALL_TEXT = [...NAME_AND_OWNER, sql.raw('nodes.name'), TEMPLATE]

function conditionOf({ field, values }: FilterTerm, askerId: string): SQL {
  if (field === null) return textIn(values[0] ?? '', ALL_TEXT)
  return either(values.map((value) => MATCHES[field as ServerField](value, askerId)))
}

function conditionsOf({ whose, nodeId, status, q, terms, askerId }: Wanted): SQL[] {
  return [
    whose &&
      either([
        ...(whose.ownerId === undefined ? [] : [ownedBy(whose.ownerId)]),
        ...(whose.sharedWith === undefined ? [] : [reaches(whose.sharedWith)]),
      ]),
    nodeId === undefined ? undefined : sql`s.node_id = ${nodeId}::uuid`,
    status && sql`${STATUS} = any(${sql.param([...status])}::text[])`,
    q ? textIn(q, NAME_AND_OWNER) : undefined,
    ...terms.map((term) => conditionOf(term, askerId)),
  ].filter((one) => one !== undefined)
}

const needsStatus = ({ status, terms }: Wanted, { sort }: Order): boolean =>
  status !== undefined || terms.some(({ field }) => field === 'state') || /^-?state$/.test(sort)

/** Ids of the wanted servers after a position, each with its key in this order. */
export async function listIds(
  db: Db,
  wanted: Wanted,
  order: Order,
  after: Position | undefined,
  limit: number,
): Promise<{ id: string; key: string }[]> {
  const conditions = conditionsOf(wanted)
  if (after) conditions.push(isAfter(order, after, ID))
  // Only where needed: it costs a lookup of holds for each row of the list.
  const held = needsStatus(wanted, order) ? HELD : sql.empty()
  const { rows } = await db.execute<{ id: string; key: string }>(sql`
    select s.id, ${keyIn(order)} as key from servers s
    join users on users.id = s.owner_id join nodes on nodes.id = s.node_id
    left join templates on templates.id = s.template_id
    left join server_usage u on u.key = s.metric_key ${held}
    where ${sql.join([sql.raw('true'), ...conditions], sql.raw(' and '))}
    order by ${inOrder(order, ID)} ${rowsAtMost(limit)}`)
  return rows
}
