import { randomUUIDv7 } from 'node:crypto'
import type { Me } from '@lodge/shared/accounts.ts'
import type { Anyone, User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { barred } from '../../../http/authorize.ts'
import type { Exchange } from '../../../http/endpoint.ts'
import { Problem } from '../../../problem.ts'
import {
  anyAdministrator,
  findUserByEmail,
  hashPassword,
  insertUser,
  passwordMatches,
  type UserRow,
} from '../../customers/index.ts'
import { panelSettings, writeSettings } from '../../settings/index.ts'
import {
  createChallenge,
  lockCompared,
  type Method,
  methodsOf,
  signInInline,
  wrongCredentials,
} from '../factors/challenges.ts'
import { takeSignIn } from '../sessions/known-device.ts'
import { startSession } from '../sessions/sessions.ts'
import { lockBootstrap } from '../store.ts'
import { described, describeMe } from './me.ts'

/** How long the first administrator may work without a second factor. */
const FIRST_GRACE_MS = 24 * 3_600_000
const NOBODY = { id: '00000000-0000-0000-0000-000000000000', email: '', passwordHash: null }

/**
 * Creates the first administrator and signs them in; of concurrent attempts exactly one succeeds.
 */
export async function bootstrap(
  ctx: Ctx<Anyone>,
  given: { email: string; password: string },
  http: Exchange,
): Promise<Me> {
  if (await anyAdministrator(ctx.db)) throw alreadyBootstrapped()
  const passwordHash = await hashPassword(given.password)
  const user = await ctx.transaction(async (ctx) => {
    await lockBootstrap(ctx.db)
    if (await anyAdministrator(ctx.db)) throw alreadyBootstrapped()
    if (await findUserByEmail(ctx.db, given.email))
      throw new Problem('duplicate', 'An account with this e-mail address already exists')
    const row = await insertUser(ctx.db, {
      id: randomUUIDv7(),
      email: given.email,
      role: 'admin',
      superAdmin: true,
      factorDueAt: new Date(ctx.now.getTime() + FIRST_GRACE_MS),
      passwordHash,
      preferences: { mode: null },
    })
    await startSession(ctx, row, http)
    await writeSettings(ctx.db, panelSettings, { origin: http.request.headers.origin ?? null })
    await ctx.live.announce(ctx.db, { kind: 'settings', id: panelSettings.name })
    return row
  })
  ctx.log.warn({ userId: user.id }, 'the first administrator was created')
  return describeMe(ctx, user)
}

const alreadyBootstrapped = () =>
  new Problem('already_bootstrapped', 'This installation is already set up: sign in instead')

interface Credentials {
  readonly email: string
  readonly password: string
  readonly totp?: string | undefined
  readonly stepwise?: boolean | undefined
}

export type SignIn =
  | { readonly requires2fa: false; readonly user: Me }
  | { readonly requires2fa: true; readonly methods: Method[]; readonly challenge: string }

/**
 * Checks the password; response and timing are the same for an unknown address and a wrong
 * password. An account with a second factor gets a challenge instead of a session, or sends the
 * authenticator's code along in the older inline form.
 */
export async function signIn(
  ctx: Ctx<Anyone | User>,
  given: Credentials,
  http: Exchange,
): Promise<SignIn> {
  const user = await findUserByEmail(ctx.db, given.email)
  const waitSeconds = await takeSignIn(ctx, given.email, user, http)
  if (waitSeconds > 0) return signInGuarded(ctx, user, given, http, waitSeconds)
  if (!(await passwordMatches(user?.passwordHash, given.password)) || !user)
    throw wrongCredentials()
  const { totp, stepwise } = given
  const done = await ctx.transaction(async (ctx): Promise<SignIn | undefined> => {
    const present = await lockCompared(ctx, user)
    if (!present) throw wrongCredentials()
    const refused = refusalOf(ctx, present, http)
    if (refused) throw refused
    const methods = await methodsOf(ctx, present.id)
    if (methods.length === 0) {
      await startSession(ctx, present, http)
      return { requires2fa: false, user: described(ctx, present, methods) }
    }
    if (stepwise)
      return { requires2fa: true, methods, challenge: await createChallenge(ctx, present.id, http) }
    if (totp !== undefined && methods.includes('totp')) return undefined
    const way = methods.includes('totp')
      ? 'Send totp with the authenticator’s code, or sign in stepwise'
      : 'Sign in stepwise'
    throw new Problem('second_factor_required', `The account has a second factor. ${way}`, {
      fields: { methods },
    })
  })
  if (done) return done
  // Not in that transaction: a wrong code is counted although the sign-in is refused.
  const row = await signInInline(ctx, user, totp ?? '', http)
  return { requires2fa: false, user: await describeMe(ctx, row) }
}

/**
 * After too many wrong passwords an account opens only to password and second factor together. A
 * wrong password, or an address without an account, gets the same response as a right one: nothing
 * is revealed until the second factor is right, so guessing passwords alone is useless. With a
 * right password, ten wrong factors in fifteen minutes still lock the second step.
 */
async function signInGuarded(
  ctx: Ctx<Anyone | User>,
  user: UserRow | undefined,
  given: Credentials,
  http: Exchange,
  waitSeconds: number,
): Promise<SignIn> {
  const { totp, stepwise } = given
  const takesFactor = stepwise || totp !== undefined
  const matches = takesFactor && (await passwordMatches(user?.passwordHash, given.password))
  const right = matches && user && refusalOf(ctx, user, http) === undefined ? user : undefined
  if (!stepwise && totp !== undefined) {
    const row = await signInInline(ctx, right, totp, http, true)
    return { requires2fa: false, user: await describeMe(ctx, row) }
  }
  const fields = stepwise && {
    methods: ['totp', 'passkey'],
    challenge: await ctx.transaction(async (ctx) => {
      // Without a right password, too, so that the timing does not tell.
      const present = await lockCompared(ctx, right ?? NOBODY)
      return createChallenge(ctx, present?.id ?? null, http, true)
    }),
  }
  const minutes = Math.ceil(waitSeconds / 60)
  throw new Problem(
    'sign_in_guarded',
    `Too many wrong passwords were tried for this account. Confirm with an authenticator, a recovery code or a passkey, sign in with a browser that you used before, or try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}`,
    { retryAfterSeconds: waitSeconds, ...(fields && { fields }) },
  )
}

/** Revealed only to those who know the password. */
function refusalOf(ctx: Ctx, user: UserRow, http: Exchange): Problem | undefined {
  if (ctx.guard.bars(user.role, http.request.address)) return barred()
  if (user.state === 'unverified')
    return new Problem(
      'account_unverified',
      'Confirm the e-mail address first: follow the link in the mail, or have it sent again',
    )
  if (user.state === 'pending')
    return new Problem('account_pending', 'The host has to approve the account before it opens')
  return undefined
}
