import type { TokenScope } from '@lodge/shared/permissions.ts'
import { boolean, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytea, counter, moment } from '../../db/columns.ts'
import { users } from '../customers/tables.ts'

/** Keys of integrations. They act for the administrator who made them, within their scopes. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** First part of the secret, to recognise it by. */
    prefix: text('prefix').notNull(),
    scopes: text('scopes').$type<TokenScope>().array().notNull(),
    tokenHash: bytea('token_hash').notNull(),
    expiresAt: moment('expires_at'),
    lastUsedAt: moment('last_used_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('api_tokens_token').on(table.tokenHash),
    index('api_tokens_user').on(table.userId),
  ],
)

const owner = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** An account's authenticator; without `confirmedAt` it is still being set up and asks for nothing. */
export const totpFactors = pgTable('totp_factors', {
  userId: owner().primaryKey(),
  /** Sealed. */
  secret: bytea('secret').notNull(),
  confirmedAt: moment('confirmed_at'),
  /** The last time step whose code was accepted: each code works once. */
  lastStep: counter('last_step').notNull().default(0),
})

export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid('id').primaryKey(),
    userId: owner(),
    name: text('name').notNull(),
    credentialId: text('credential_id').notNull(),
    publicKey: bytea('public_key').notNull(),
    counter: counter('counter').notNull(),
    transports: text('transports').array().notNull().default([]),
    backedUp: boolean('backed_up').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    lastUsedAt: moment('last_used_at'),
  },
  (table) => [
    uniqueIndex('passkeys_credential').on(table.credentialId),
    index('passkeys_user').on(table.userId),
  ],
)

/** Single-use codes for when every other factor is lost. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  { userId: owner(), codeHash: bytea('code_hash').notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
)

/** A password was right and the second step is awaited; or a passkey is being registered. */
export const authChallenges = pgTable(
  'auth_challenges',
  {
    id: uuid('id').primaryKey(),
    /** Null: the password was wrong, which nobody is told where the sign-in is guarded. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    purpose: text('purpose', { enum: ['sign_in', 'register_passkey', 'step_up'] }).notNull(),
    tokenHash: bytea('token_hash').notNull(),
    /** Whom it was given to: another address cannot use it. */
    addressKey: text('address_key').notNull(),
    webauthnChallenge: text('webauthn_challenge'),
    /** Given while too many passwords were tried: only the end of the second step tells what was right. */
    guarded: boolean('guarded').notNull().default(false),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('auth_challenges_token').on(table.tokenHash),
    index('auth_challenges_user').on(table.userId),
  ],
)

/** Wrong second factors; ten within fifteen minutes lock the second step of the account. */
export const secondFactorFailures = pgTable(
  'second_factor_failures',
  { id: uuid('id').primaryKey(), userId: owner(), at: moment('at').notNull().defaultNow() },
  (table) => [index('second_factor_failures_user').on(table.userId, table.at)],
)

/** Signed-in devices. Only the hash of the cookie's value is kept. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    tokenHash: bytea('token_hash').notNull(),
    userAgent: text('user_agent').notNull(),
    address: text('address').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    lastSeenAt: moment('last_seen_at').notNull().defaultNow(),
    /** When the person last showed who they are: password and, where there is one, second factor. */
    provedAt: moment('proved_at'),
    /** Absolute end, however active the session is. */
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('sessions_token').on(table.tokenHash),
    index('sessions_user').on(table.userId),
  ],
)
