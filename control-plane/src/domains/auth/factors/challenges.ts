import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { networkOf } from '@lodge/shared/addresses.ts'
import type { Actor, Anyone, User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { isTransaction } from '../../../db/database.ts'
import type { Exchange } from '../../../http/endpoint.ts'
import { notFound, Problem } from '../../../problem.ts'
import { findUser, lockOwner, type UserRow } from '../../customers/index.ts'
import { startSession } from '../sessions/sessions.ts'
import * as store from './factor-store.ts'
import { acceptRecoveryCode } from './recovery-codes.ts'
import { acceptCode } from './totp.ts'

const VALID_MS = 5 * 60_000
const LOCK_MINUTES = 15
const LOCK_FAILURES = 10
export type Method = 'totp' | 'passkey'

export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The account's second factors; empty if it has none. */
export async function methodsOf(ctx: Ctx, userId: string): Promise<Method[]> {
  const { totp, passkey } = await store.factorsOf(ctx.db, userId)
  return [...(totp ? (['totp'] as const) : []), ...(passkey ? (['passkey'] as const) : [])]
}

/**
 * Issues a right to finish a sign-in within five minutes from the same address.
 * @param userId null if the password was wrong; only a guarded sign-in continues after that
 * @param guarded what was wrong is not revealed before the end
 */
export async function createChallenge(
  ctx: Ctx,
  userId: string | null,
  http: Exchange,
  guarded = false,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await store.insertChallenge(ctx.db, {
    id: randomUUIDv7(),
    userId,
    purpose: 'sign_in',
    guarded,
    tokenHash: hashOf(token),
    addressKey: networkOf(http.request.address),
    expiresAt: new Date(ctx.now.getTime() + VALID_MS),
  })
  return token
}

export const wrongCredentials = () =>
  new Problem('invalid_credentials', 'Check both, or reset your password')

/**
 * The account whose password was compared, locked. Undefined if it has another password or address
 * by now: comparing takes a while, and such a change ends every access that was given before it.
 */
export async function lockCompared(
  ctx: Ctx,
  compared: Pick<UserRow, 'id' | 'email' | 'passwordHash'>,
): Promise<UserRow | undefined> {
  const user = await lockOwner(ctx.db, compared.id)
  const isSame = user?.passwordHash === compared.passwordHash && user.email === compared.email
  return isSame ? user : undefined
}

export const challengeExpired = () =>
  new Problem('challenge_expired', 'The sign-in took too long: start again with the password')

/** A guarded sign-in gives the same answer for everything that may have been wrong. */
const guardedRefusal = () =>
  new Problem(
    'invalid_credentials',
    'Wrong e-mail address, password or second factor, or too many wrong codes: check all three',
  )

const GUARDED_MS = 500

/**
 * Starts a timer. A guarded refusal is thrown half a second after it, longer than verification
 * takes, because the response time would otherwise reveal what was wrong.
 */
function refusalNotBefore(): (refused: Problem) => Promise<never> {
  const earliest = performance.now() + GUARDED_MS
  return async (refused) => {
    if (refused.code === 'invalid_credentials')
      await setTimeout(Math.max(0, earliest - performance.now()))
    throw refused
  }
}

type Outcome = { readonly user: UserRow } | { readonly refused: Problem }

/**
 * Finishes a sign-in. The account's row is locked meanwhile, so parallel guesses are counted one by
 * one and the eleventh is refused even if it is right.
 */
export async function finishSignIn(
  ctx: Ctx<Anyone | User>,
  token: string,
  http: Exchange,
  accepts: (ctx: Ctx, userId: string, challenge: store.ChallengeRow) => Promise<boolean>,
): Promise<UserRow> {
  const refusable = refusalNotBefore()
  const outcome = await ctx.transaction(async (ctx): Promise<Outcome> => {
    const network = networkOf(http.request.address)
    const found = await store.findChallenge(ctx.db, hashOf(token), 'sign_in', network)
    if (!found) return { refused: challengeExpired() }
    const withheld = { refused: found.guarded ? guardedRefusal() : challengeExpired() }
    const user = found.userId === null ? undefined : await lockOwner(ctx.db, found.userId)
    if (!user) return withheld
    const challenge = await store.lockChallenge(ctx.db, hashOf(token), 'sign_in', network)
    if (!challenge) return { refused: challengeExpired() }
    const refused = await attempt(ctx, user.id, () => accepts(ctx, user.id, challenge))
    if (refused) return challenge.guarded ? withheld : { refused }
    await store.deleteChallenge(ctx.db, challenge.id)
    await startSession(ctx, user, http)
    return { user }
  })
  if ('refused' in outcome) return refusable(outcome.refused)
  return outcome.user
}

/**
 * Verifies a secret of an account whose row is locked meanwhile. A refusal is committed before it
 * is thrown, so the failure it counts is not rolled back with the refused change.
 */
export async function judged<A extends Actor>(
  ctx: Ctx<A>,
  userId: string,
  judge: (ctx: Ctx<A>) => Promise<Problem | undefined>,
): Promise<void> {
  if (isTransaction(ctx.db)) throw new Error('secrets are judged outside of transactions')
  const refused = await ctx.transaction(async (ctx) => {
    if (!(await lockOwner(ctx.db, userId))) throw notFound('account')
    return judge(ctx)
  })
  if (refused) throw refused
}

/** Verifies a second factor and counts a failure. The caller has locked the account's row. */
export async function attempt(
  ctx: Ctx,
  userId: string,
  accepts: () => Promise<boolean>,
): Promise<Problem | undefined> {
  const failures = await store.recentFailures(ctx.db, userId)
  if (failures.length >= LOCK_FAILURES) return locked(failures[0] ?? ctx.now)
  if (await accepts()) return undefined
  await store.insertFailure(ctx.db, userId)
  return new Problem(
    'invalid_second_factor',
    'Not accepted: try the next code, another method or a recovery code. If you have lost them all, ask support to remove your second factors',
  )
}

function locked(oldest: Date): Problem {
  const until = new Date(oldest.getTime() + LOCK_MINUTES * 60_000)
  const seconds = Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1000))
  return new Problem(
    'second_factor_locked',
    `Too many wrong codes: this step is locked for ${Math.ceil(seconds / 60)} minutes`,
    {
      fields: { until: until.toISOString() },
      retryAfterSeconds: seconds,
    },
  )
}

/** Accepts an authenticator or recovery code after a correct password. */
export async function acceptAnyCode(
  ctx: Ctx,
  userId: string,
  code: string,
  address: string,
): Promise<boolean> {
  if (await acceptCode(ctx, userId, code.trim())) return true
  if (!(await acceptRecoveryCode(ctx, userId, code))) return false
  const email = (await findUser(ctx.db, userId))?.email ?? ''
  const left = await store.countRecoveryCodes(ctx.db, userId)
  await ctx.emit('account.recovery_code_used', { userId, email, left, address })
  return true
}

/**
 * The inline form: password and authenticator code in one request.
 * @param compared undefined if the password was wrong, which only happens in a guarded sign-in
 */
export async function signInInline(
  ctx: Ctx<Anyone | User>,
  compared: UserRow | undefined,
  code: string,
  http: Exchange,
  guarded = false,
): Promise<UserRow> {
  const refusable = refusalNotBefore()
  const outcome = await ctx.transaction(async (ctx): Promise<Outcome> => {
    const user = compared && (await lockCompared(ctx, compared))
    if (!user) return { refused: guarded ? guardedRefusal() : wrongCredentials() }
    const refused = await attempt(ctx, user.id, () => acceptCode(ctx, user.id, code.trim()))
    if (refused) return { refused: guarded ? guardedRefusal() : refused }
    await startSession(ctx, user, http)
    return { user }
  })
  if ('refused' in outcome) return refusable(outcome.refused)
  return outcome.user
}
