import { sql } from 'drizzle-orm'
import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { counter, moment } from '../db/columns.ts'

/** What there is in the blob store, by the SHA-256 of its bytes. */
export const blobs = pgTable(
  'blobs',
  {
    sha256: text('sha256').primaryKey(),
    sizeBytes: counter('size_bytes').notNull(),
    /** Null while its bytes are on their way in or out: nobody may rely on them. */
    keptAt: moment('kept_at'),
    /** Put, referred to or released for the last time. */
    touchedAt: moment('touched_at').notNull().defaultNow(),
  },
  (table) => [
    index('blobs_touched').on(table.touchedAt),
    index('blobs_passing').on(table.touchedAt).where(sql`${table.keptAt} is null`),
  ],
)

/** Who needs a blob: something of a domain, by its kind and id. */
export const blobReferences = pgTable(
  'blob_references',
  {
    sha256: text('sha256')
      .notNull()
      .references(() => blobs.sha256, { onDelete: 'restrict' }),
    ownerKind: text('owner_kind').notNull(),
    ownerId: text('owner_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.sha256, table.ownerKind, table.ownerId] }),
    index('blob_references_owner').on(table.ownerKind, table.ownerId),
  ],
)
