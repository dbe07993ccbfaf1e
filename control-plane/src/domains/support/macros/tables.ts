import { MACRO_SCOPES, type MacroAction } from '@lodge/shared/support/macros.ts'
import { sql } from 'drizzle-orm'
import { check, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../../../db/columns.ts'
import { users } from '../../customers/tables.ts'
import { supportGroups } from '../categories/tables.ts'

/** Actions that agents apply to a ticket with one click. */
export const supportMacros = pgTable(
  'support_macros',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    scope: text('scope', { enum: MACRO_SCOPES }).notNull(),
    groupId: uuid('group_id').references(() => supportGroups.id, { onDelete: 'cascade' }),
    /** For a personal one. */
    ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'cascade' }),
    actions: jsonb('actions').$type<MacroAction[]>().notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    index('support_macros_group').on(table.groupId),
    index('support_macros_owner').on(table.ownerId),
    check(
      'support_macros_scope',
      sql`(${table.scope} = 'group') = (${table.groupId} is not null)
        and (${table.scope} = 'personal') = (${table.ownerId} is not null)`,
    ),
  ],
)
export type MacroRow = typeof supportMacros.$inferSelect
