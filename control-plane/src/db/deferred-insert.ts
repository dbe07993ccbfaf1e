import { getTableColumns, getTableName, type InferInsertModel } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { type Db, later } from './database.ts'
import type { Statement } from './lodge-client.ts'

/** Statement text by table and set of columns. */
const texts = new Map<string, string>()

/**
 * Inserts a row whose result is not needed: it is sent with the next statement or the commit, and a
 * rejected row fails the transaction then. Omitted columns get their defaults.
 */
export function deferredInsert<Table extends PgTable>(
  db: Db,
  table: Table,
  row: InferInsertModel<Table>,
  explain?: Statement['explain'],
): Promise<void> {
  const columns = getTableColumns(table)
  const given = Object.entries<unknown>(row).filter(
    ([name, value]) => value !== undefined && columns[name],
  )
  const key = `${getTableName(table)} ${given.map(([name]) => name).join(' ')}`
  let text = texts.get(key)
  if (text === undefined) {
    const names = given.map(([name]) => `"${columns[name]?.name}"`).join(', ')
    const places = given.map((_, at) => `$${at + 1}`).join(', ')
    text = `insert into "${getTableName(table)}" (${names}) values (${places})`
    texts.set(key, text)
  }
  const isJson = (name: string) => columns[name]?.getSQLType().startsWith('json')
  const values = given.map(([name, value]) =>
    value !== null && isJson(name) ? JSON.stringify(value) : value,
  )
  return later(db, { text, values, explain })
}
