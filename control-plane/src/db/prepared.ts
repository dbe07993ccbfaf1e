import { Placeholder, type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { CustomTypesConfig } from 'pg'
import { connectionOf, type Db } from './database.ts'

interface Built {
  toSQL(): { sql: string; params: unknown[] }
}

const dialect = new PgDialect()

/** A hand-written statement, for `prepared`. */
export const statement = (words: SQL): Built => ({ toSQL: () => dialect.sqlToQuery(words) })

/**
 * A statement built once instead of on every use, so that it costs little more than its rows.
 * Values are parsed by the connection; columns are not mapped.
 * @param fields names of a row's fields, in the order selected
 * @param query built by `new QueryBuilder()`, with `sql.placeholder` for the parameters
 * @param types value parsers, if not the connection's
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
 * Turns cells into a row. Compiled to an object literal of these names, which are all ours:
 * assigning fields dynamically costs many times as much, more than the rest of reading a list.
 */
function rowMaker<Row>(fields: readonly string[]): (cells: readonly unknown[]) => Row {
  const members = fields.map((name, at) => `${JSON.stringify(name)}: cells[${at}]`)
  return new Function('cells', `return { ${members.join(', ')} }`) as ReturnType<
    typeof rowMaker<Row>
  >
}

/** Keys per statement: with more parameters a statement gets no name (see named-statements.ts). */
const MOST_KEYS = 32

/**
 * `prepared` for any number of keys. PostgreSQL keeps no plan for a list of unknown length, so
 * there is one statement each for 1, 2, 4 and so on keys, padded with the last key.
 * @param build the query for these keys, which go into a list: `in (${keys})`
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
