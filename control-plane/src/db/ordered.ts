import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { invalidCursor, type Position } from './cursor.ts'

/** Something that the rows of a list can be ordered by. */
export interface SortKey {
  /**
   * The expression, or undefined for the order of ids. It is never null: what is unknown has a value
   * that comes last in this direction.
   */
  readonly by: (descending: boolean) => SQL | undefined
  readonly type: 'text' | 'double precision'
}

/**
 * The `sort` of a list: one of `names`, with a minus for descending. Pages follow the key and then
 * the id. While a key changes between two pages, its row can be on both or on neither; every other
 * row is on exactly one.
 */
export const sortOf = <const Name extends string>(names: readonly Name[]) =>
  z
    .enum([...names, ...names.map((name) => `-${name}` as const)] as (Name | `-${Name}`)[])
    .describe(
      'with a minus for descending; a row whose key changes between two pages may be on both or on neither',
    )

/** A key with its direction, from which statements and cursors are made. */
export interface Order {
  /** As in the query, such as `-cpu`. */
  readonly sort: string
  readonly key: SQL | undefined
  readonly type: SortKey['type']
  readonly descending: boolean
}

export function orderOf<Name extends string>(
  sort: Name | `-${Name}`,
  keys: Readonly<Record<Name, SortKey>>,
): Order {
  const descending = sort.startsWith('-')
  const { by, type } = keys[(descending ? sort.slice(1) : sort) as Name]
  return { sort, key: by(descending), type, descending }
}

/** The key of a row as text, for its cursor. */
export const keyIn = ({ key }: Order): SQL => (key ? sql`(${key})::text` : sql.raw(`''`))

/** The position of a row in this order; a cursor of another order is none in this one. */
export const positionIn = ({ sort }: Order, row: { key: string; id: string }): Position => [
  `${sort}:${row.key}`,
  row.id,
]

/** Exactly what PostgreSQL writes for our numbers. */
const NUMBER = /^(-?\d{1,17}(\.\d{1,25})?(e[+-]\d{1,3})?|Infinity)$/

/** The rows after a position, as a condition. */
export function isAfter(order: Order, [written, lastId]: Position, id: SQL): SQL {
  const prefix = `${order.sort}:`
  const key = written.slice(prefix.length)
  if (!written.startsWith(prefix)) throw invalidCursor()
  const sign = sql.raw(order.descending ? '<' : '>')
  if (!order.key) return sql`${id} ${sign} ${lastId}::uuid`
  if (order.type !== 'text' && !NUMBER.test(key)) throw invalidCursor()
  return sql`(${order.key}, ${id}) ${sign} (${key}::${sql.raw(order.type)}, ${lastId}::uuid)`
}

/** The expressions to order by, the id last. */
export function inOrder({ key, descending }: Order, id: SQL): SQL {
  const direction = sql.raw(descending ? 'desc' : 'asc')
  return key ? sql`${key} ${direction}, ${id} ${direction}` : sql`${id} ${direction}`
}
