import type { TokenScope } from '@lodge/shared/permissions.ts'
import { boolean, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytea, counter, moment } from '../../db/columns.ts'
import { users } from '../customers/tables.ts'

/** Keys for integrations. They act for the administrator who created them, within their scopes. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** First part of the secret, for recognition. */
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

/** An account's authenticator; without `confirmedAt` it is still being set up and not required. */
export const totpFactors = pgTable('totp_factors', {
  userId: owner().primaryKey(),
  /** Encrypted by the vault. */
  secret: bytea('secret').notNull(),
  confirmedAt: moment('confirmed_at'),
  /** The last accepted time step: each code works only once. */
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

/** A sign-in that awaits its second step, a passkey registration or a step-up. */
export const authChallenges = pgTable(
  'auth_challenges',
  {
    id: uuid('id').primaryKey(),
    /** Null: the password was wrong, which a guarded sign-in does not reveal. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    purpose: text('purpose', { enum: ['sign_in', 'register_passkey', 'step_up'] }).notNull(),
    tokenHash: bytea('token_hash').notNull(),
    /** The client it was issued to; another address cannot use it. */
    addressKey: text('address_key').notNull(),
    webauthnChallenge: text('webauthn_challenge'),
    /**
     * Issued after too many wrong passwords: only the end of the second step reveals what was
     * right.
     */
    guarded: boolean('guarded').notNull().default(false),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('auth_challenges_token').on(table.tokenHash),
    index('auth_challenges_user').on(table.userId),
  ],
)

/** Wrong second factors; ten within fifteen minutes lock the account's second step. */
export const secondFactorFailures = pgTable(
  'second_factor_failures',
  { id: uuid('id').primaryKey(), userId: owner(), at: moment('at').notNull().defaultNow() },
  (table) => [index('second_factor_failures_user').on(table.userId, table.at)],
)

/** Signed-in devices. Only the hash of the cookie's value is stored. */
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
    /** When the person last proved their identity: password and second factor, if there is one. */
    provedAt: moment('proved_at'),
    /** Absolute end, even if the session is active. */
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('sessions_token').on(table.tokenHash),
    index('sessions_user').on(table.userId),
  ],
)
