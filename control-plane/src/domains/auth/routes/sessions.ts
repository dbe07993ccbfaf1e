import {
  ChangePreferences,
  EditMe,
  emailAddress,
  Me,
  newPassword,
  Session,
  SupportView,
} from '@lodge/shared/accounts.ts'
import { z } from 'zod'
import { del, get, patch, post, put } from '../../../http/endpoint.ts'
import { anyAdministrator } from '../../customers/index.ts'
import { authBudgets } from '../budgets.ts'
import * as sessions from '../sessions/sessions.ts'
import { requirePassword } from '../sign-in/identity.ts'
import * as account from '../sign-in/me.ts'
import * as signing from '../sign-in/sign-in.ts'

const anyPassword = z.string().min(1).max(1024)

export const bootstrap = post('/api/auth/bootstrap', {
  summary: 'Create the first administrator',
  access: { who: 'anyone', throttle: authBudgets.bootstrap },
  body: z.strictObject({ email: emailAddress, password: newPassword }),
  reply: Me,
  status: 201,
  handle: ({ ctx, body, http }) => signing.bootstrap(ctx, body, http),
})

export const authStatus = get('/api/auth/status', {
  summary: 'Whether the first administrator still has to be created',
  access: { who: 'anyone' },
  reply: z.object({ bootstrapped: z.boolean() }),
  handle: async ({ ctx }) => ({ bootstrapped: await anyAdministrator(ctx.db) }),
})

export const login = post('/api/auth/login', {
  summary: 'Sign in',
  access: { who: 'anyone', throttle: authBudgets.signIn },
  body: z.strictObject({
    email: emailAddress,
    password: anyPassword,
    totp: z.string().max(16).optional(),
    stepwise: z.boolean().optional(),
  }),
  reply: z.discriminatedUnion('requires2fa', [
    z.object({ requires2fa: z.literal(false), user: Me }),
    z.object({
      requires2fa: z.literal(true),
      methods: z.array(z.enum(['totp', 'passkey'])),
      challenge: z.string(),
    }),
  ]),
  handle: ({ ctx, body, http }) => signing.signIn(ctx, body, http),
})

export const logout = post('/api/auth/logout', {
  summary: 'Sign out',
  access: { who: 'user', settingUp: true, whileSuspended: 'always', whileViewing: true },
  recorded: 'signed out',
  handle: ({ ctx, http }) => sessions.signOut(ctx, http),
})

export const showMe = get('/api/auth/me', {
  summary: 'The signed-in user',
  access: { who: 'user', token: 'read', settingUp: true, whileSuspended: 'always' },
  reply: Me,
  handle: ({ ctx, http }) => account.me(ctx, http),
})

export const editMe = patch('/api/auth/me', {
  summary: 'Change the own name, language and time zone',
  access: { who: 'user', settingUp: true },
  body: EditMe,
  reply: Me,
  recorded: 'changed their name, language or time zone',
  handle: ({ ctx, body }) => account.editMe(ctx, body),
})

export const changePreferences = put('/api/auth/preferences', {
  summary:
    'Language, colour mode, density, clock and arranged lists of the panel; null for the default',
  access: { who: 'user', settingUp: true },
  body: ChangePreferences,
  reply: Me,
  recorded: 'changed their panel preferences',
  handle: ({ ctx, body, http }) => account.changePreferences(ctx, body, http),
})

export const changePassword = post('/api/auth/password', {
  summary: 'Change the password; other sessions, open links and API tokens of the account end',
  access: { who: 'user', throttle: authBudgets.password },
  body: z.strictObject({ currentPassword: anyPassword, newPassword }),
  reply: z.object({ ended: z.int() }),
  recorded: 'changed their password',
  judge: ({ ctx, body }) => requirePassword(ctx, body.currentPassword),
  handle: ({ ctx, body, http }) => account.changePassword(ctx, body.newPassword, http),
})

export const listSessions = get('/api/auth/sessions', {
  summary: 'Own signed-in devices, and when the host viewed the account',
  access: { who: 'user', whileSuspended: 'signed-in' },
  reply: z.object({ items: z.array(Session), views: z.array(SupportView) }),
  handle: ({ ctx }) => sessions.ownSessions(ctx),
})

export const endSession = del('/api/auth/sessions/{id}', {
  summary: 'Sign a device out',
  access: { who: 'user', own: true },
  recorded: 'signed out a device',
  handle: ({ ctx, params }) => sessions.endSession(ctx, params.id),
})

export const endOtherSessions = post('/api/auth/sessions/revoke-others', {
  summary: 'Sign out everywhere else',
  access: { who: 'user' },
  reply: z.object({ ended: z.int() }),
  recorded: 'signed out everywhere else',
  handle: ({ ctx }) => sessions.endOtherSessions(ctx),
})
