import { index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytea, moment } from '../../../db/columns.ts'
import { users } from '../../customers/tables.ts'

const owner = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

export const TOKEN_PURPOSES = [
  'invitation',
  'reset',
  'verify',
  'email_change',
  'team_invite',
  'team_transfer',
] as const

/** One-time tokens mailed as links. Only their hash is stored. */
export const accountTokens = pgTable(
  'account_tokens',
  {
    id: uuid('id').primaryKey(),
    userId: owner(),
    purpose: text('purpose', { enum: TOKEN_PURPOSES }).notNull(),
    tokenHash: bytea('token_hash').notNull(),
    /** What the token is about, e.g. the new address. */
    data: jsonb('data').$type<Readonly<Record<string, string>>>().notNull().default({}),
    expiresAt: moment('expires_at').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('account_tokens_token').on(table.tokenHash),
    index('account_tokens_user').on(table.userId, table.purpose),
  ],
)
