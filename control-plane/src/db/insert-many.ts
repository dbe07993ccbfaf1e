import { getTableColumns, getTableName, type InferInsertModel } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'

/**
 * A statement that inserts many rows with the same columns: its text does not depend on how many,
 * and they are sent as one document, which costs far less than a parameter for each value.
 */
export function insertMany<Table extends PgTable>(
  table: Table,
  rows: readonly InferInsertModel<Table>[],
): { readonly text: string; readonly values: readonly unknown[] } {
  const columns = Object.entries(getTableColumns(table)).flatMap(([key, { name }]) =>
    key in (rows[0] ?? {}) ? [{ key, name }] : [],
  )
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  const into = `"${getTableName(table)}"`
  const given = rows.map((row) =>
    Object.fromEntries(columns.map(({ key, name }) => [name, row[key as keyof typeof row]])),
  )
  return {
    text: `insert into ${into} (${names})
      select ${names} from jsonb_populate_recordset(null::${into}, $1::jsonb)`,
    values: [JSON.stringify(given)],
  }
}
