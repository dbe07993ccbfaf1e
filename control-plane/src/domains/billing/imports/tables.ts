import { sql } from 'drizzle-orm'
import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../../../db/columns.ts'

export const IMPORTED_KINDS = ['customer', 'plan', 'credit', 'subscription'] as const

/**
 * What came from another panel, and what became of it here: a second import passes over it. Kept when that is
 * deleted, which is therefore not imported again.
 */
export const importedRecords = pgTable(
  'imported_records',
  {
    /** The installation of the other panel. */
    origin: text('origin').notNull(),
    kind: text('kind', { enum: IMPORTED_KINDS }).notNull(),
    sourceId: text('source_id').notNull(),
    /** An account, plan or subscription, or the entry of a balance. */
    targetId: uuid('target_id').notNull(),
    importedAt: moment('imported_at').notNull(),
    /** Of a customer: whether they are sent a link to choose a password; null if nobody wanted that. */
    invitation: text('invitation', { enum: ['waiting', 'done'] }),
  },
  (table) => [
    primaryKey({ columns: [table.origin, table.kind, table.sourceId] }),
    index('imported_records_waiting')
      .on(table.importedAt)
      .where(sql`${table.invitation} = 'waiting'`),
  ],
)
