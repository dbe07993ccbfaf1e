import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { deviceOf } from '@lodge/shared/device.ts'
import type { Anyone, User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import type { Exchange } from '../../../http/endpoint.ts'
import { take } from '../../../http/throttle.ts'
import { languageOf } from '../../../moment-text.ts'
import { Problem } from '../../../problem.ts'
import {
  findUser,
  findUserByEmail,
  hashPassword,
  lockOwner,
  nameOfInviter,
  type UserRow,
  updateUser,
} from '../../customers/index.ts'
import { authBudgets } from '../budgets.ts'
import { endAccess } from '../end-access.ts'
import { countRecoveryCodes } from '../factors/factor-store.ts'
import { acceptRecoveryCode } from '../factors/recovery-codes.ts'
import {
  invalidLink,
  issueAccountToken,
  redeemAccountToken,
  tokenHashOf,
} from '../links/account-tokens.ts'
import { findAccountToken } from '../links/store.ts'
import { rememberDevice } from '../sessions/known-device.ts'
import * as store from './store.ts'

/**
 * Records that a new password is requested. It looks nothing up, so neither the response nor its
 * timing reveals whether the account exists; `sendResets` does the rest shortly after.
 */
export async function requestReset(ctx: Ctx<Anyone | User>, email: string): Promise<void> {
  try {
    await take(ctx.db, authBudgets.forgotAccount, email)
  } catch (error) {
    if (error instanceof Problem) return
    throw error
  }
  await store.insertResetRequest(ctx.db, {
    ...{ id: randomUUIDv7(), email, language: ctx.language ?? null },
  })
}

/** Mails a customer a link to set a new or first password, at an administrator's request. */
export async function sendLinkTo(ctx: Ctx<User>, customer: UserRow): Promise<void> {
  const { id: userId, email, state, passwordHash } = customer
  if (state === 'unverified' || state === 'pending')
    throw new Problem(
      'invalid_state',
      'This account is not open yet: confirm its address or approve it first',
    )
  await ctx.transaction(async (ctx) => {
    if (passwordHash === null)
      return ctx.emit('customer.invited', { userId, email, inviter: await nameOfInviter(ctx) })
    const issued = await issueAccountToken(ctx, userId, 'reset')
    return ctx.emit('account.reset_requested', { userId, email, ...issued })
  })
}

/** Queues the mail of each request whose address belongs to an account that may sign in. */
export async function sendResets(ctx: Ctx): Promise<number> {
  return ctx.transaction(async (ctx) => {
    const requests = await store.takeResetRequests(ctx.db, 50)
    for (const { email, language } of requests) {
      const user = await findUserByEmail(ctx.db, email)
      if (!user) continue
      const issued = await issueAccountToken(ctx, user.id, 'reset')
      const asked = languageOf(language)
      await ctx.emit('account.reset_requested', { userId: user.id, email, asked, ...issued })
    }
    return requests.length
  })
}

/** Purposes of links that set a password. */
export const PURPOSES = ['invitation', 'reset', 'team_invite'] as const

/**
 * The account of a link, which stays usable: people learn when they open a used link, not when they
 * submit.
 * @throws {Problem} invalid_token
 */
export async function lookAtLink(ctx: Ctx<Anyone | User>, token: string) {
  const found = await findAccountToken(ctx.db, tokenHashOf(token), PURPOSES)
  const user = found && (await findUser(ctx.db, found.userId))
  const purpose = PURPOSES.find((one) => one === found?.purpose)
  if (!user || !purpose) throw invalidLink()
  return { email: user.email, purpose, expiresAt: found.expiresAt.toISOString() }
}

/**
 * Sets the password through an invitation or reset link. The link works once; second factors stay.
 */
export async function acceptLink(
  ctx: Ctx<Anyone | User>,
  given: { token: string; password: string },
  http: Exchange,
): Promise<{ email: string }> {
  // Checked before hashing, so that nobody can make us hash without a valid link.
  if (!(await findAccountToken(ctx.db, tokenHashOf(given.token), PURPOSES))) throw invalidLink()
  const passwordHash = await hashPassword(given.password)
  return ctx.transaction(async (ctx) => {
    const { user } = await redeemAccountToken(ctx, given.token, ...PURPOSES)
    await replacePassword(ctx, user, passwordHash, http)
    const { id: userId, email, role, state } = user
    if (user.passwordHash === null && role === 'customer' && state !== 'unverified')
      await ctx.emit('account.opened', { userId, email })
    return { email }
  })
}

/**
 * Sets the password with a recovery code. Every failure gives the same response in the same time.
 * Attempts are limited by address and not by account: a code of 80 bits cannot be guessed, so a limit
 * on the account would only let strangers lock its owner out.
 */
export async function recover(
  ctx: Ctx<Anyone | User>,
  given: { email: string; recoveryCode: string; password: string },
  http: Exchange,
): Promise<void> {
  const passwordHash = await hashPassword(given.password)
  await ctx.transaction(async (ctx) => {
    const found = await findUserByEmail(ctx.db, given.email)
    const user = await lockOwner(ctx.db, found?.id ?? randomUUID())
    const accepted = await acceptRecoveryCode(ctx, user?.id ?? randomUUID(), given.recoveryCode)
    if (!accepted || !user) {
      throw new Problem(
        'invalid_credentials',
        'Wrong e-mail address or recovery code: check both. Each code works once',
      )
    }
    await ctx.emit('account.recovery_code_used', {
      userId: user.id,
      email: user.email,
      left: await countRecoveryCodes(ctx.db, user.id),
      address: http.request.address,
    })
    await replacePassword(ctx, user, passwordHash, http)
  })
}

/** A password set without the old one ends all access that the old one gave. */
export async function replacePassword(
  ctx: Ctx,
  user: UserRow,
  passwordHash: string,
  http: Exchange,
): Promise<void> {
  await updateUser(ctx.db, user.id, { passwordHash })
  await endAccess(ctx, user.id)
  rememberDevice(ctx, { id: user.id, passwordHash }, http)
  // A first password is no change to warn about.
  if (user.passwordHash === null) return
  await ctx.emit('account.password_changed', {
    userId: user.id,
    email: user.email,
    address: http.request.address,
    device: deviceOf(http.request.headers['user-agent'] ?? ''),
  })
}
