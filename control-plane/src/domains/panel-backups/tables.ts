import { sql } from 'drizzle-orm'
import { boolean, check, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { counter, moment } from '../../db/columns.ts'

/** Backups of the panel that are made, kept or failed. */
export const panelBackups = pgTable(
  'panel_backups',
  {
    id: uuid('id').primaryKey(),
    state: text('state', { enum: ['running', 'good', 'failed'] }).notNull(),
    scheduled: boolean('scheduled').notNull(),
    place: text('place', { enum: ['folder', 's3'] }).notNull(),
    /** The folder, or the address of the bucket and the folder in it. */
    address: text('address').notNull(),
    snapshotId: text('snapshot_id'),
    sizeBytes: counter('size_bytes'),
    storedBytes: counter('stored_bytes'),
    failure: jsonb('failure').$type<{ code: string; detail: string }>(),
    /** Null for one that the command made. */
    jobId: uuid('job_id'),
    createdAt: moment('created_at').notNull().defaultNow(),
    finishedAt: moment('finished_at'),
  },
  (table) => [
    uniqueIndex('panel_backups_one_running').on(table.state).where(sql`${table.state} = 'running'`),
    index('panel_backups_created').on(table.createdAt),
    check(
      'panel_backups_good',
      sql`${table.state} <> 'good' or ${table.snapshotId} is not null and ${table.sizeBytes} is not null`,
    ),
  ],
)
export type PanelBackupRow = typeof panelBackups.$inferSelect
