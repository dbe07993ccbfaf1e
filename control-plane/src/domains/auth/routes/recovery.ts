import { emailAddress, newPassword, ShownLink } from '@lodge/shared/accounts.ts'
import { z } from 'zod'
import { post } from '../../../http/endpoint.ts'
import { customer } from '../../customers/index.ts'
import { authBudgets } from '../budgets.ts'
import { confirmEmailChange, requestEmailChange } from '../recovery/email-change.ts'
import { undoEmailChange } from '../recovery/email-undo.ts'
import * as passwords from '../recovery/passwords.ts'
import { requirePassword } from '../sign-in/identity.ts'

const token = z.string().min(1).max(200)
const Ok = z.object({ ok: z.literal(true) })
const ok = { ok: true } as const

export const forgotPassword = post('/api/auth/forgot', {
  summary: 'Send a link to a new password; always answers the same',
  access: { who: 'anyone', throttle: authBudgets.forgot },
  body: z.strictObject({ email: emailAddress }),
  reply: Ok,
  handle: async ({ ctx, body }) => {
    await passwords.requestReset(ctx, body.email)
    return ok
  },
})

export const lookAtToken = post('/api/auth/token/look', {
  summary: 'Whose invitation or reset link this is, if it still works',
  access: { who: 'anyone', throttle: authBudgets.redeem },
  body: z.strictObject({ token }),
  reply: z.object({
    email: z.string(),
    purpose: z.enum(passwords.PURPOSES),
    expiresAt: z.iso.datetime(),
  }),
  handle: ({ ctx, body }) => passwords.lookAtLink(ctx, body.token),
})

export const acceptToken = post('/api/auth/token/accept', {
  summary: 'Set a password from an invitation or reset link',
  access: { who: 'anyone', throttle: authBudgets.redeem },
  body: z.strictObject({ token, password: newPassword }),
  reply: z.object({ email: z.string() }),
  handle: ({ ctx, body, http }) => passwords.acceptLink(ctx, body, http),
})

export const recoverAccount = post('/api/auth/recover', {
  summary: 'Set a password with a recovery code',
  access: { who: 'anyone', throttle: authBudgets.redeem },
  body: z.strictObject({
    email: emailAddress,
    recoveryCode: z.string().trim().min(1).max(64),
    password: newPassword,
  }),
  reply: Ok,
  handle: async ({ ctx, body, http }) => {
    await passwords.recover(ctx, body, http)
    return ok
  },
})

export const sendPasswordLink = post('/api/customers/{id}/password-link', {
  summary: 'Send a customer a link to choose a password',
  access: {
    who: 'admin',
    may: 'customers.manage',
    on: customer,
    throttle: authBudgets.invite,
    // Without a mail server, the response contains the link, and it opens the account.
    stepUp: true,
  },
  reply: Ok.extend({ link: ShownLink.optional() }),
  showsLink: true,
  recorded: 'sent {target} a link to choose a password',
  handle: async ({ ctx, customer }) => {
    await passwords.sendLinkTo(ctx, customer)
    return ok
  },
})

export const changeEmail = post('/api/auth/email', {
  summary: 'Ask for another e-mail address; it is confirmed by a link to it',
  access: { who: 'user', throttle: authBudgets.password, stepUp: true },
  body: z.strictObject({ email: emailAddress, password: z.string().min(1).max(1024) }),
  reply: Ok,
  recorded: 'requested a change of their e-mail address',
  judge: ({ ctx, body }) => requirePassword(ctx, body.password),
  handle: async ({ ctx, body }) => {
    await requestEmailChange(ctx, body.email)
    return ok
  },
})

export const confirmEmail = post('/api/auth/email/confirm', {
  summary: 'Confirm a new e-mail address',
  access: { who: 'anyone', throttle: authBudgets.redeem },
  body: z.strictObject({ token }),
  reply: Ok,
  handle: async ({ ctx, body }) => {
    await confirmEmailChange(ctx, body.token)
    return ok
  },
})

export const undoEmail = post('/api/auth/email/undo', {
  summary: 'Take a changed e-mail address back within 72 hours, with a new password',
  access: { who: 'anyone', throttle: authBudgets.redeem },
  body: z.strictObject({ token, password: newPassword }),
  reply: z.object({ email: z.string() }),
  handle: ({ ctx, body, http }) => undoEmailChange(ctx, body, http),
})
