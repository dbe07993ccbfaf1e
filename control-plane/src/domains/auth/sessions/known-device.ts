import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Ctx } from '../../../context.ts'
import type { Exchange } from '../../../http/endpoint.ts'
import { secondsUntilTaken } from '../../../http/throttle.ts'
import type { UserRow } from '../../customers/index.ts'
import { authBudgets } from '../budgets.ts'
import { isSecure } from './cookies.ts'

export const DEVICE_COOKIE = 'lodge_device'
const KEPT_DAYS = 90
const FORM = /^([\w-]{16})\.(\d{10})\.([\w-]{43})$/

type Known = Pick<UserRow, 'id' | 'passwordHash'>

/**
 * Bound to the account and its current password, so changing the password invalidates all of them.
 */
const signatureOf = (ctx: Ctx, user: Known, device: string, issued: string): Buffer =>
  ctx.vault.sign('known device', JSON.stringify([user.id, user.passwordHash, device, issued]))

/**
 * Gives the browser a fresh cookie proving that it has signed in to this account. It grants no
 * access: it only decides which budget wrong passwords from this browser count against.
 */
export function rememberDevice(ctx: Ctx, user: Known, http: Exchange): void {
  const device = randomBytes(12).toString('base64url')
  const issued = String(Math.floor(ctx.now.getTime() / 1000))
  const signature = signatureOf(ctx, user, device, issued).toString('base64url')
  http.reply.setCookie(DEVICE_COOKIE, `${device}.${issued}.${signature}`, {
    path: '/api/auth',
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure(http),
    maxAge: KEPT_DAYS * 86_400,
  })
}

/** The id of the browser, if this account was signed in to with it. */
function knownDevice(ctx: Ctx, user: Known | undefined, http: Exchange): string | undefined {
  const [, device = '', issued = '', signature = ''] =
    FORM.exec(http.request.cookies[DEVICE_COOKIE] ?? '') ?? []
  if (!device || !user) return undefined
  const ageSeconds = ctx.now.getTime() / 1000 - Number(issued)
  if (ageSeconds > KEPT_DAYS * 86_400) return undefined
  const given = Buffer.from(signature, 'base64url')
  return timingSafeEqual(given, signatureOf(ctx, user, device, issued)) ? device : undefined
}

/**
 * Takes one sign-in from the browser's budget if the browser is known, else from the account's (after
 * OWASP's device cookies). The effect on password guessing:
 *
 * - A stranger has the account's budget: 20 at once, then one every three minutes, however many
 *   addresses are used. A cookie of another account or a forged one does not count.
 * - The owner's browser has ten at once and one every ten minutes, which no stranger can use up, and
 *   after those the account's budget.
 * - Whoever steals the cookie gains those ten plus one every ten minutes, for at most 90 days and only
 *   until the password changes.
 * @returns 0 if taken, else the seconds until one is available
 */
export async function takeSignIn(
  ctx: Ctx,
  email: string,
  user: Known | undefined,
  http: Exchange,
): Promise<number> {
  const device = knownDevice(ctx, user, http)
  if (device && (await secondsUntilTaken(ctx.db, authBudgets.signInDevice, device)) === 0) return 0
  return secondsUntilTaken(ctx.db, authBudgets.signInAccount, email)
}
