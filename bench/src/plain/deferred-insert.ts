import type { InferInsertModel } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../../control-plane/src/db/database.ts'
import type { Statement } from '../../../control-plane/src/db/lodge-client.ts'

/** drizzle's own insert, which waits for its response. */
export async function deferredInsert<Table extends PgTable>(
  db: Db,
  table: Table,
  row: InferInsertModel<Table>,
  explain?: Statement['explain'],
): Promise<void> {
  await db
    .insert(table)
    .values(row as never)
    .catch((fault: unknown) => {
      throw explain?.(fault) ?? fault
    })
}
