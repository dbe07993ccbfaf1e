import { sql } from 'drizzle-orm'
import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { counter, moment } from '../db/columns.ts'

/** Contents of the blob store, by SHA-256. */
export const blobs = pgTable(
  'blobs',
  {
    sha256: text('sha256').primaryKey(),
    sizeBytes: counter('size_bytes').notNull(),
    /** Null while its bytes are being added or removed and must not be relied on. */
    keptAt: moment('kept_at'),
    /** When it was last uploaded, referenced or released. */
    touchedAt: moment('touched_at').notNull().defaultNow(),
  },
  (table) => [
    index('blobs_touched').on(table.touchedAt),
    index('blobs_passing').on(table.touchedAt).where(sql`${table.keptAt} is null`),
  ],
)

/** References to blobs, by kind and id of the owner. */
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
