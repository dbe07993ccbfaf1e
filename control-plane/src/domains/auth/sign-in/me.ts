import type { ChangePreferences, EditMe, Me } from '@lodge/shared/accounts.ts'
import { deviceOf } from '@lodge/shared/device.ts'
import { ADMIN_PERMISSIONS } from '@lodge/shared/permissions.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import type { Exchange } from '../../../http/endpoint.ts'
import { notFound } from '../../../problem.ts'
import {
  findUser,
  hashPassword,
  setPreferences,
  type UserRow,
  updateUser,
} from '../../customers/index.ts'
import { endAccess } from '../end-access.ts'
import { type Method, methodsOf } from '../factors/challenges.ts'
import { rememberLanguage } from '../sessions/cookies.ts'
import { rememberDevice } from '../sessions/known-device.ts'
import { viewingOf } from '../viewing/viewing.ts'

export const describeMe = async (ctx: Ctx, user: UserRow): Promise<Me> =>
  described(ctx, user, await methodsOf(ctx, user.id))

/** The account as its owner sees it, with its known factors. */
export function described(ctx: Ctx, user: UserRow, methods: readonly Method[]): Me {
  const active = methods.length > 0
  const dueAt = active || user.role !== 'admin' ? null : user.factorDueAt
  const waiting = dueAt !== null && dueAt > ctx.now ? 'due' : 'overdue'
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    locale: user.locale,
    timeZone: user.timeZone,
    state: user.state === 'suspended' ? 'suspended' : 'active',
    role: user.role,
    superAdmin: user.superAdmin,
    permissions: user.superAdmin ? Object.keys(ADMIN_PERMISSIONS) : user.permissions,
    secondFactor: active ? 'active' : user.role === 'admin' ? waiting : 'none',
    secondFactorDueAt: dueAt?.toISOString() ?? null,
    preferences: { density: null, clock: null, language: null, lists: {}, ...user.preferences },
    createdAt: user.createdAt.toISOString(),
    viewing: viewingOf(ctx.actor),
    liveEventId: ctx.live.position(),
  }
}

export async function me(ctx: Ctx<User>, http: Exchange): Promise<Me> {
  const user = await findUser(ctx.db, ctx.actor.id)
  if (!user) throw notFound('account')
  const { viewer, scopes } = ctx.actor
  // It may have been chosen on another device; neither a viewer nor a token is this account's browser.
  if (!viewer && !scopes) rememberLanguage(user, http)
  return describeMe(ctx, user)
}

/** Changes name, language and time zone, as far as they are given. */
export async function editMe(ctx: Ctx<User>, change: EditMe): Promise<Me> {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  const user = await updateUser(ctx.db, ctx.actor.id, Object.fromEntries(given))
  if (!user) throw notFound('account')
  return describeMe(ctx, user)
}

export async function changePreferences(
  ctx: Ctx<User>,
  change: ChangePreferences,
  http: Exchange,
): Promise<Me> {
  const user = await setPreferences(ctx.db, ctx.actor.id, change)
  if (!user) throw notFound('account')
  rememberLanguage(user, http)
  return describeMe(ctx, user)
}

/** Changes the password and ends all other access to the account. */
export async function changePassword(
  ctx: Ctx<User>,
  newPassword: string,
  http: Exchange,
): Promise<{ ended: number }> {
  const passwordHash = await hashPassword(newPassword)
  return ctx.transaction(async (ctx) => {
    const { id: userId, email } = ctx.actor
    await updateUser(ctx.db, userId, { passwordHash })
    rememberDevice(ctx, { id: userId, passwordHash }, http)
    const { address, headers } = http.request
    const device = deviceOf(headers['user-agent'] ?? '')
    await ctx.emit('account.password_changed', { userId, email, address, device })
    return endAccess(ctx, userId, ctx.actor.sessionId)
  })
}
