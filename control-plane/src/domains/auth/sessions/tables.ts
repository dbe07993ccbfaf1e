import { pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { bytea, moment } from '../../../db/columns.ts'
import { users } from '../../customers/tables.ts'

/** Browsers and networks from which an account has signed in. */
export const knownDevices = pgTable(
  'known_devices',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    deviceHash: bytea('device_hash').notNull(),
    seenAt: moment('seen_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.deviceHash] })],
)
