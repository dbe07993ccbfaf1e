import { Placeholder, type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { CustomTypesConfig } from 'pg'
import { connectionOf, type Db } from './database.ts'

interface Built {
  toSQL(): { sql: string; params: unknown[] }
}

const dialect = new PgDialect()

/** A statement written by hand, for `prepared`. */
export const statement = (words: SQL): Built => ({ toSQL: () => dialect.sqlToQuery(words) })

/**
 * A statement that is put together once instead of at every use, so that asking for it costs little
 * more than its rows. Values are read as the connection reads them; nothing is mapped by column.
 * @param fields names of what a row holds, in the order in which it is selected
 * @param query built by `new QueryBuilder()`, with `sql.placeholder` for what differs from use to use
 * @param types how values are read, if not as the connection does
 */
export function prepared<Row extends object, Given extends object>(
  fields: readonly (keyof Row & string)[],
  query: Built,
  types?: CustomTypesConfig,
): (db: Db, given: Given) => Promise<Row[]> {
  const { sql: text, params } = query.toSQL()
  const take = params.map((param) => {
    if (!(param instanceof Placeholder)) return () => param
    const name = String(Reflect.get(param, 'name'))
    return (given: Given): unknown => Reflect.get(given, name)
  })
  const rowOf = rowMaker<Row>(fields)
  return async (db, given) => {
    const values = take.map((one) => one(given))
    const asked = { text, values, rowMode: 'array', ...(types && { types }) } as const
    const { rows } = await connectionOf(db).query<unknown[]>(asked)
    return rows.map(rowOf)
  }
}

/**
 * How cells become a row. Written out as a literal of these names, which are ours: to fill in fields by
 * their names costs many times as much, and more than the rest of reading a list.
 */
function rowMaker<Row>(fields: readonly string[]): (cells: readonly unknown[]) => Row {
  const members = fields.map((name, at) => `${JSON.stringify(name)}: cells[${at}]`)
  return new Function('cells', `return { ${members.join(', ')} }`) as ReturnType<
    typeof rowMaker<Row>
  >
}

/** Keys of one statement: more parameters would not be worth a name (see named-statements.ts). */
const MOST_KEYS = 32

/**
 * The same for any number of keys. PostgreSQL keeps no plan for a list of unknown length, so there is a
 * statement for 1, 2, 4 and so on keys; the last key fills what is left over.
 * @param build the query for these keys, which stand in a list: `in (${keys})`
 */
export function preparedForKeys<Row extends object>(
  fields: readonly (keyof Row & string)[],
  build: (keys: SQL) => Built,
  types?: CustomTypesConfig,
): (db: Db, keys: readonly unknown[]) => Promise<Row[]> {
  const bySize = new Map<number, (db: Db, given: readonly unknown[]) => Promise<Row[]>>()
  const statementFor = (size: number) => {
    let known = bySize.get(size)
    if (!known) {
      const places = Array.from({ length: size }, (_, at) => sql`${sql.placeholder(String(at))}`)
      known = prepared(fields, build(sql.join(places, sql.raw(', '))), types)
      bySize.set(size, known)
    }
    return known
  }
  return async (db, keys) => {
    const found: Row[] = []
    for (let from = 0; from < keys.length; from += MOST_KEYS) {
      const part = keys.slice(from, from + MOST_KEYS)
      const size = 2 ** Math.ceil(Math.log2(part.length))
      const filled = Array.from({ length: size }, (_, at) => part[Math.min(at, part.length - 1)])
      found.push(...(await statementFor(size)(db, filled)))
    }
    return found
  }
}
