import { index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytea, moment } from '../../db/columns.ts'
import { users } from '../customers/tables.ts'
import { servers } from '../servers/tables.ts'

const person = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** Public keys of accounts. */
export const sshKeys = pgTable(
  'ssh_keys',
  {
    id: uuid('id').primaryKey(),
    userId: person(),
    name: text('name').notNull(),
    type: text('type').notNull(),
    fingerprint: text('fingerprint').notNull(),
    /** Type and key, as in `authorized_keys`. */
    publicKey: text('public_key').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    lastUsedAt: moment('last_used_at'),
  },
  (table) => [
    uniqueIndex('ssh_keys_of_user').on(table.userId, table.fingerprint),
    index('ssh_keys_fingerprint').on(table.fingerprint),
  ],
)

/** One for each person and server. Generated and random, so it can be looked up by its hash. */
export const sftpPasswords = pgTable(
  'sftp_passwords',
  {
    id: uuid('id').primaryKey(),
    userId: person(),
    serverId: uuid('server_id')
      .notNull()
      .references(() => servers.id, { onDelete: 'cascade' }),
    passwordHash: bytea('password_hash').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    lastUsedAt: moment('last_used_at'),
  },
  (table) => [
    uniqueIndex('sftp_passwords_of_person').on(table.serverId, table.userId),
    uniqueIndex('sftp_passwords_hash').on(table.passwordHash),
    index('sftp_passwords_user').on(table.userId),
  ],
)

/** When somebody last ended their connections by signing out everywhere else. */
export const sftpEndings = pgTable('sftp_endings', {
  userId: person().primaryKey(),
  endedAt: moment('ended_at').notNull(),
})

/** Host keys of the SSH server, the same on every instance. */
export const sshHostKeys = pgTable('ssh_host_keys', {
  type: text('type').primaryKey(),
  fingerprint: text('fingerprint').notNull(),
  /** Encrypted by the vault. */
  privateKey: bytea('private_key').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
})
