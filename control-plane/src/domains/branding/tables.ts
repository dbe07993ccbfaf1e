import type { Branding } from '@lodge/shared/branding.ts'
import { sql } from 'drizzle-orm'
import {
  check,
  customType,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { moment } from '../../db/columns.ts'

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** Every stored look; the one with the highest revision is current. */
export const brandingVersions = pgTable(
  'branding_versions',
  {
    revision: integer('revision').primaryKey(),
    id: uuid('id').notNull().unique(),
    document: jsonb('document').$type<Branding>().notNull(),
    author: text('author').notNull(),
    reason: text('reason').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [check('branding_versions_counted', sql`${table.revision} > 0`)],
)
export type BrandingVersionRow = typeof brandingVersions.$inferSelect

/** Uploaded images as they are served: encoded anew, and small enough for the database. */
export const brandingImages = pgTable(
  'branding_images',
  {
    kind: text('kind').notNull(),
    sha: text('sha').notNull(),
    type: text('type').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    bytes: bytea('bytes').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.sha] }),
    check('branding_images_small', sql`length(${table.bytes}) <= 4194304`),
  ],
)
export type BrandingImageRow = typeof brandingImages.$inferSelect

/** Announcements that people were notified of, each once. */
export const toldAnnouncements = pgTable('told_announcements', {
  id: text('id').primaryKey(),
  toldAt: moment('told_at').notNull().defaultNow(),
})
