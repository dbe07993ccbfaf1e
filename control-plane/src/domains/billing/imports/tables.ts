import type { ImportPanel, ImportTally } from '@lodge/shared/billing/imports.ts'
import { sql } from 'drizzle-orm'
import { boolean, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
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
    /**
     * What the same id of another installation would hardly have, and nobody changes; null if the export
     * said nothing of the kind.
     */
    fingerprint: text('fingerprint'),
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

/** What imports did, and what looks at them said they would do; the last ones are kept. */
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
    /** When it was last at work. */
    seenAt: moment('seen_at').notNull(),
    endedAt: moment('ended_at'),
    failure: text('failure'),
  },
  (table) => [index('imports_origin').on(table.origin)],
)
