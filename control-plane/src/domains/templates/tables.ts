import type { TemplateDocument } from '@lodge/shared/templates/document.ts'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { moment } from '../../db/columns.ts'

export const templates = pgTable(
  'templates',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    origin: text('origin', { enum: ['builtin', 'custom'] }).notNull(),
    /** Newest version; incremented by changes to the runtime. */
    version: integer('version').notNull(),
    document: jsonb('document').$type<TemplateDocument>().notNull(),
    /** The icon of its document for the panel: a name in the set or a URL (icon.ts). */
    icon: text('icon'),
    /** Shown before the others. */
    featured: boolean('featured').notNull().default(false),
    customerVisible: boolean('customer_visible').notNull().default(false),
    customerDescription: text('customer_description'),
    /** Warnings of the importer, for the template's maintainer. */
    warnings: text('warnings').array().notNull().default([]),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [index('templates_name').on(table.name, table.id)],
)
export type TemplateRow = typeof templates.$inferSelect

/** Every version that a server may still use. */
export const templateVersions = pgTable(
  'template_versions',
  {
    templateId: uuid('template_id')
      .notNull()
      .references(() => templates.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    document: jsonb('document').$type<TemplateDocument>().notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.templateId, table.version] })],
)
