import type { ImportPanel, ImportTally } from '@lodge/shared/billing/imports.ts'
import { sql } from 'drizzle-orm'
import { boolean, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../../../db/columns.ts'

export const IMPORTED_KINDS = ['customer', 'plan', 'credit', 'subscription'] as const

/**
 * Records imported from another panel, with their target here. A later import skips them, even if the
 * target has been deleted since.
 */
export const importedRecords = pgTable(
  'imported_records',
  {
    /** The name of the other panel's installation. */
    origin: text('origin').notNull(),
    kind: text('kind', { enum: IMPORTED_KINDS }).notNull(),
    sourceId: text('source_id').notNull(),
    /** An account, plan or subscription, or the entry of a balance. */
    targetId: uuid('target_id').notNull(),
    importedAt: moment('imported_at').notNull(),
    /**
     * A value that the same id of another installation is unlikely to have and that nobody changes;
     * null if the export has none.
     */
    fingerprint: text('fingerprint'),
    /** For customers: the state of their invitation; null if none was requested. */
    invitation: text('invitation', { enum: ['waiting', 'done'] }),
  },
  (table) => [
    primaryKey({ columns: [table.origin, table.kind, table.sourceId] }),
    index('imported_records_waiting')
      .on(table.importedAt)
      .where(sql`${table.invitation} = 'waiting'`),
  ],
)

/** The results of imports and dry runs; only the latest are kept. */
export const imports = pgTable(
  'imports',
  {
    id: uuid('id').primaryKey(),
    panel: text('panel').$type<ImportPanel>().notNull(),
    origin: text('origin').notNull(),
    isDryRun: boolean('is_dry_run').notNull(),
    invites: boolean('invites').notNull(),
    tally: jsonb('tally').$type<ImportTally>().notNull(),
    startedAt: moment('started_at').notNull(),
    /** When it last reported progress. */
    seenAt: moment('seen_at').notNull(),
    endedAt: moment('ended_at'),
    failure: text('failure'),
  },
  (table) => [index('imports_origin').on(table.origin)],
)
