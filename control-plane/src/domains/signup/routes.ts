import { emailAddress, newPassword, ShownLink } from '@lodge/shared/accounts.ts'
import { z } from 'zod'
import { pageOf, pageQuery } from '../../db/cursor.ts'
import { sendCsv } from '../../http/csv.ts'
import { del, get, post, put } from '../../http/endpoint.ts'
import { authBudgets } from '../auth/index.ts'
import { customer } from '../customers/index.ts'
import { invite } from './access.ts'
import { signupBudgets } from './budgets.ts'
import * as invites from './invites.ts'
import * as pending from './pending.ts'
import * as registering from './register.ts'
import * as review from './review.ts'
import * as settings from './settings.ts'
import { deleteInvite } from './store.ts'

const Ok = z.object({ ok: z.literal(true) })
const ok = { ok: true } as const

export const signupConfig = get('/api/signup/config', {
  summary: 'How people may sign up',
  access: { who: 'anyone' },
  reply: settings.SignupConfig,
  handle: async ({ ctx }) => {
    const { mode, captcha, terms } = await settings.signupSettings(ctx.db)
    return { mode, captcha: { provider: captcha.provider, siteKey: captcha.siteKey }, terms }
  },
})

export const register = post('/api/auth/register', {
  summary: 'Create an account that must confirm its e-mail address; always answers the same',
  access: { who: 'anyone', throttle: signupBudgets.register },
  body: z.strictObject({
    email: emailAddress,
    password: newPassword,
    acceptTerms: z.boolean().optional(),
    captcha: z.string().max(4000).optional(),
    inviteCode: z.string().trim().max(100).optional(),
  }),
  reply: Ok,
  handle: async ({ ctx, body }) => {
    await registering.register(ctx, body)
    return ok
  },
})

export const verifyEmail = post('/api/auth/verify', {
  summary: 'Confirm an e-mail address',
  access: { who: 'anyone', throttle: authBudgets.redeem },
  body: z.strictObject({
    token: z.string().min(1).max(200),
    /** Needed if somebody signed up with the address more than once. */
    password: newPassword.optional(),
  }),
  reply: z.object({ state: z.enum(['pending', 'active']) }),
  handle: ({ ctx, body }) => registering.verify(ctx, body),
})

export const resendVerification = post('/api/auth/verify/resend', {
  summary: 'Send the confirmation link again; always answers the same',
  access: { who: 'anyone', throttle: authBudgets.forgot },
  body: z.strictObject({ email: emailAddress }),
  reply: Ok,
  handle: async ({ ctx, body }) => {
    await registering.requestResend(ctx, body.email)
    return ok
  },
})

export const approveCustomer = post('/api/customers/{id}/approve', {
  summary: 'Approve an account that waits for it',
  access: { who: 'admin', may: 'customers.approve', on: customer },
  recorded: 'approved the account {target}',
  handle: ({ ctx, customer }) => review.approve(ctx, customer),
})

export const markCustomerVerified = post('/api/customers/{id}/mark-verified', {
  summary: 'Treat an unconfirmed address as confirmed',
  access: { who: 'admin', may: 'customers.approve', on: customer },
  recorded: 'confirmed the address of {target}',
  handle: ({ ctx, customer }) => review.markVerified(ctx, customer),
})

export const rejectCustomer = post('/api/customers/{id}/reject', {
  summary: 'Decline and remove an account that was never let in',
  access: { who: 'admin', may: 'customers.approve', on: customer },
  query: z.object({ reason: z.string().trim().max(1000).optional() }),
  recorded: 'declined the account {target}',
  handle: ({ ctx, customer, query }) => review.reject(ctx, customer, query.reason ?? ''),
})

export const resendCustomerVerification = post('/api/customers/{id}/resend-verification', {
  summary: 'Send the confirmation mail again',
  access: { who: 'admin', may: 'customers.approve', on: customer },
  recorded: 'resent the confirmation to {target}',
  reply: Ok.extend({ link: ShownLink.optional() }),
  showsLink: true,
  handle: async ({ ctx, customer }) => {
    await review.resendConfirmation(ctx, customer)
    return ok
  },
})

export const listInvites = get('/api/signup/invites', {
  summary: 'Invitation codes, newest first',
  access: { who: 'admin', may: 'signup.manage' },
  query: z.object(pageQuery),
  reply: pageOf(invites.Invite),
  handle: ({ ctx, query }) => invites.pageOfInvites(ctx, query),
})

export const createInvite = post('/api/signup/invites', {
  summary: 'Create an invitation code; it is shown once',
  access: { who: 'admin', may: 'signup.manage' },
  body: invites.CreateInvite,
  reply: invites.Invite.extend({ code: z.string() }),
  status: 201,
  shownOnce: true,
  recorded: 'created an invitation',
  handle: ({ ctx, body }) => invites.createInvite(ctx, body),
})

export const revokeInvite = del('/api/signup/invites/{id}', {
  summary: 'Revoke an invitation code',
  access: { who: 'admin', may: 'signup.manage', on: invite },
  recorded: 'revoked an invitation',
  handle: ({ ctx, invite }) => deleteInvite(ctx.db, invite.id),
})

export const listPending = get('/api/signup/pending', {
  summary: 'Accounts that wait for confirmation or approval',
  access: { who: 'admin', may: 'customers.approve' },
  query: pending.PendingQuery,
  reply: pageOf(pending.PendingAccount),
  handle: ({ ctx, query }) => pending.pageOfPending(ctx, query),
})

export const exportPending = get('/api/signup/pending/export', {
  summary: 'Accounts that wait for confirmation or approval, as CSV',
  access: { who: 'admin', may: 'customers.approve' },
  query: pending.PendingWanted,
  streams: 'text/csv',
  handle: async ({ ctx, query, http }) =>
    sendCsv(http.reply, 'sign-ups.csv', pending.pendingAsCsv(ctx, query)),
})

export const showSignupSettings = get('/api/settings/signup', {
  summary: 'Settings of sign-up',
  access: { who: 'admin', may: 'signup.manage' },
  reply: settings.SignupSettingsView,
  handle: async ({ ctx }) => settings.describeSettings(await settings.signupSettings(ctx.db)),
})

export const editSignupSettings = put('/api/settings/signup', {
  summary: 'Change the settings of sign-up',
  access: { who: 'admin', may: 'signup.manage' },
  body: settings.EditSignupSettings,
  reply: settings.SignupSettingsView,
  recorded: 'changed the sign-up settings',
  handle: ({ ctx, body }) => settings.changeSettings(ctx, body),
})
