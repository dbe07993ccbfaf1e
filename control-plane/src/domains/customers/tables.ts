import type { LimitLayer } from '@lodge/shared/limits/keys.ts'
import type { ListName, ListPreference } from '@lodge/shared/lists/preferences.ts'
import type { AdminPermission } from '@lodge/shared/permissions.ts'
import type { Restriction } from '@lodge/shared/restriction.ts'
import type { Language } from '@lodge/shared/words/languages.ts'
import { sql } from 'drizzle-orm'
import { boolean, check, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytea, moment } from '../../db/columns.ts'

/** Everyone who may sign in: administrators and customers. */
export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    name: text('name'),
    role: text('role', { enum: ['admin', 'customer'] }).notNull(),
    superAdmin: boolean('super_admin').notNull().default(false),
    permissions: text('permissions').$type<AdminPermission>().array().notNull().default([]),
    /** argon2id in PHC form; null until a password is set. */
    passwordHash: text('password_hash'),
    preferences: jsonb('preferences')
      .$type<{
        mode: 'light' | 'dark' | 'system' | null
        /** Missing until it is chosen. */
        density?: 'comfortable' | 'compact' | null
        clock?: '12' | '24' | null
        language?: Language | null
        /** Missing until a list is arranged. */
        lists?: Partial<Record<ListName, ListPreference>>
      }>()
      .notNull(),
    /** Format of times and numbers, e.g. `de-CH`; null for the browser's. */
    locale: text('locale'),
    /** Time zone for display, e.g. `Europe/Zurich`; null for the browser's. */
    timeZone: text('time_zone'),
    /** The language of their last sign-in, which applies while they have chosen none. */
    lastLanguage: text('last_language'),
    /** Limits set on this customer individually: the highest layer. */
    quota: jsonb('quota').$type<LimitLayer>().notNull().default({}),
    state: text('state', { enum: ['active', 'suspended', 'unverified', 'pending'] })
      .notNull()
      .default('active'),
    /** What the account may still use while it is suspended; null while it is not. */
    restriction: jsonb('restriction').$type<Restriction>(),
    /** Until when an administrator may work without a second factor; null for not at all. */
    factorDueAt: moment('factor_due_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('users_email').on(table.email),
    uniqueIndex('users_one_super_admin').on(table.superAdmin).where(sql`${table.superAdmin}`),
    index('users_role_email').on(table.role, table.email),
    index('users_alike').using(
      'gin',
      table.email.op('gin_trgm_ops'),
      table.name.op('gin_trgm_ops'),
    ),
    check('users_super_admin_is_admin', sql`not ${table.superAdmin} or ${table.role} = 'admin'`),
  ],
)
/**
 * An address that an account has just given up. Until then, whoever receives its mail can take it
 * back through a link, and nobody else can have it.
 */
export const formerAddresses = pgTable(
  'former_addresses',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    email: text('email').notNull(),
    tokenHash: bytea('token_hash').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('former_addresses_token').on(table.tokenHash),
    index('former_addresses_email').on(table.email),
    index('former_addresses_user').on(table.userId),
  ],
)
export type UserRow = typeof users.$inferSelect
