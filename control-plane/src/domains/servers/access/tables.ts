import type { FileRules } from '@lodge/shared/file-rules.ts'
import type { ServerPermission } from '@lodge/shared/server-permissions.ts'
import {
  boolean,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytea, moment } from '../../../db/columns.ts'
import { users } from '../../customers/tables.ts'
import { servers } from '../tables.ts'

const ofServer = () =>
  uuid('server_id')
    .notNull()
    .references(() => servers.id, { onDelete: 'cascade' })
const rights = () => ({
  permissions: text('permissions').$type<ServerPermission>().array().notNull(),
  files: jsonb('files').$type<FileRules>().notNull().default([]),
})
const invitedBy = () => uuid('invited_by').references(() => users.id, { onDelete: 'set null' })

/** People who may use somebody else's server, and their rights. */
export const serverCollaborators = pgTable(
  'server_collaborators',
  {
    serverId: ofServer(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    ...rights(),
    invitedBy: invitedBy(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.serverId, table.userId] }),
    index('server_collaborators_user').on(table.userId, table.serverId),
    index('server_collaborators_inviter').on(table.invitedBy),
  ],
)
export type CollaboratorRow = typeof serverCollaborators.$inferSelect

/**
 * Offers to become a collaborator. The mailed link contains the token, and only its hash is stored.
 */
export const serverInvitations = pgTable(
  'server_invitations',
  {
    id: uuid('id').primaryKey(),
    serverId: ofServer(),
    email: text('email').notNull(),
    ...rights(),
    /** Whether somebody without an account may create one through the link. */
    newAccount: boolean('new_account').notNull(),
    invitedBy: invitedBy(),
    tokenHash: bytea('token_hash'),
    mailedAt: moment('mailed_at'),
    expiresAt: moment('expires_at').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('server_invitations_email').on(table.serverId, table.email),
    uniqueIndex('server_invitations_token').on(table.tokenHash),
    index('server_invitations_inviter').on(table.invitedBy),
  ],
)
export type InvitationRow = typeof serverInvitations.$inferSelect
