import {
  ATTACHMENT_SCANS,
  type ATTACHMENT_TYPES,
  PREVIEW_STATES,
} from '@lodge/shared/attachments.ts'
import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../../db/columns.ts'
import { users } from '../customers/tables.ts'

/** Files that come with messages; their bytes are blobs. */
export const attachments = pgTable(
  'attachments',
  {
    id: uuid('id').primaryKey(),
    /**
     * The account that it counts for; null once the account has been removed, and for mail from
     * strangers.
     */
    uploaderId: uuid('uploader_id').references(() => users.id, { onDelete: 'set null' }),
    /** The kind of the message it belongs to, such as `appeal`; null until the message is sent. */
    messageKind: text('message_kind'),
    messageId: uuid('message_id'),
    name: text('name').notNull(),
    type: text('type').$type<(typeof ATTACHMENT_TYPES)[number]>().notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    sha256: text('sha256').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('attachments_message').on(table.messageId),
    index('attachments_uploader').on(table.uploaderId),
    index('attachments_unsent').on(table.createdAt).where(sql`${table.messageId} is null`),
    check(
      'attachments_message_whole',
      sql`(${table.messageKind} is null) = (${table.messageId} is null)`,
    ),
  ],
)
export type AttachmentRow = typeof attachments.$inferSelect

/** Results of scans. A file that came while there was no scanner has no row. */
export const attachmentScans = pgTable(
  'attachment_scans',
  {
    attachmentId: uuid('attachment_id')
      .primaryKey()
      .references(() => attachments.id, { onDelete: 'cascade' }),
    state: text('state', { enum: ATTACHMENT_SCANS }).notNull(),
    /** What a scanner found. */
    why: text('why'),
    attempts: integer('attempts').notNull().default(0),
    /** When the scanners are called; null once the result is final. */
    dueAt: moment('due_at'),
  },
  (table) => [
    index('attachment_scans_due').on(table.dueAt).where(sql`${table.dueAt} is not null`),
    check(
      'attachment_scans_due_while_waiting',
      sql`(${table.state} = 'waiting') = (${table.dueAt} is not null)`,
    ),
  ],
)
export type AttachmentScanRow = typeof attachmentScans.$inferSelect

/**
 * Previews of pictures, whose bytes are blobs of the same owner as the picture. A picture that waits
 * for its scan or was refused has no row.
 */
export const attachmentPreviews = pgTable(
  'attachment_previews',
  {
    attachmentId: uuid('attachment_id')
      .primaryKey()
      .references(() => attachments.id, { onDelete: 'cascade' }),
    state: text('state', { enum: PREVIEW_STATES }).notNull(),
    sha256: text('sha256'),
    width: integer('width'),
    height: integer('height'),
    attempts: integer('attempts').notNull().default(0),
    /** When it is to be drawn; null once the result is final. */
    dueAt: moment('due_at'),
  },
  (table) => [
    index('attachment_previews_due').on(table.dueAt).where(sql`${table.dueAt} is not null`),
    check(
      'attachment_previews_due_while_waiting',
      sql`(${table.state} = 'waiting') = (${table.dueAt} is not null)`,
    ),
    check(
      'attachment_previews_made_whole',
      sql`(${table.state} = 'made') = (num_nulls(${table.sha256}, ${table.width}, ${table.height}) = 0)`,
    ),
  ],
)
export type AttachmentPreviewRow = typeof attachmentPreviews.$inferSelect

/** Uploads in progress: each reserves its place before its first byte. */
export const attachmentArrivals = pgTable(
  'attachment_arrivals',
  {
    id: uuid('id').primaryKey(),
    uploaderId: uuid('uploader_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As announced; without an announcement the largest size that is allowed. */
    sizeBytes: integer('size_bytes').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('attachment_arrivals_uploader').on(table.uploaderId),
    index('attachment_arrivals_created').on(table.createdAt),
  ],
)
