import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytea, moment } from '../../db/columns.ts'
import { users } from '../customers/tables.ts'
import { plans } from '../plans/tables.ts'

/** Sign-up codes. Only the hash of a code is stored. */
export const signupInvites = pgTable(
  'signup_invites',
  {
    id: uuid('id').primaryKey(),
    codeHash: bytea('code_hash').notNull(),
    /** First part of the code, for recognition. */
    prefix: text('prefix').notNull(),
    /** Only this address may use it. */
    email: text('email'),
    note: text('note'),
    maxUses: integer('max_uses').notNull().default(1),
    uses: integer('uses').notNull().default(0),
    expiresAt: moment('expires_at'),
    planId: uuid('plan_id').references(() => plans.id),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('signup_invites_code').on(table.codeHash),
    index('signup_invites_plan').on(table.planId),
    index('signup_invites_creator').on(table.createdBy),
  ],
)

/** A sign-up request; whether the address is taken is checked later, invisibly to the requester. */
export const signupRequests = pgTable('signup_requests', {
  id: uuid('id').primaryKey(),
  kind: text('kind', { enum: ['register', 'resend'] }).notNull(),
  email: text('email').notNull(),
  passwordHash: text('password_hash'),
  inviteId: uuid('invite_id'),
  /** The language of the requester; null if the previous release recorded the request. */
  language: text('language'),
  createdAt: moment('created_at').notNull().defaultNow(),
})

/** How a customer signed up. */
export const signups = pgTable(
  'signups',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    inviteId: uuid('invite_id').references(() => signupInvites.id, { onDelete: 'set null' }),
    planId: uuid('plan_id').references(() => plans.id),
    createdAt: moment('created_at').notNull().defaultNow(),
    approvedAt: moment('approved_at'),
  },
  (table) => [index('signups_invite').on(table.inviteId), index('signups_plan').on(table.planId)],
)
