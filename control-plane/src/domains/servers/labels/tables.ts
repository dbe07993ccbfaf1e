import { boolean, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../../../db/columns.ts'
import { users } from '../../customers/tables.ts'
import { servers } from '../tables.ts'

/** Where a person keeps a server in their own list. No row: in no folder, no favourite. */
export const serverMarks = pgTable(
  'server_marks',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    serverId: uuid('server_id')
      .notNull()
      .references(() => servers.id, { onDelete: 'cascade' }),
    folder: text('folder'),
    favourite: boolean('favourite').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.serverId] }),
    index('server_marks_server').on(table.serverId),
  ],
)

/** Separate from the servers, whose rows every observation rewrites. */
export const serverNotes = pgTable(
  'server_notes',
  {
    serverId: uuid('server_id')
      .primaryKey()
      .references(() => servers.id, { onDelete: 'cascade' }),
    text: text('text').notNull(),
    changedAt: moment('changed_at').notNull().defaultNow(),
    changedBy: uuid('changed_by').references(() => users.id, { onDelete: 'set null' }),
  },
  (table) => [index('server_notes_changed_by').on(table.changedBy)],
)
