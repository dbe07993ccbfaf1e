import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Ctx } from '../../context.ts'
import type { Exchange } from '../../http/endpoint.ts'
import { secondsUntilTaken } from '../../http/throttle.ts'
import type { UserRow } from '../customers/index.ts'
import { isSecure } from './cookies.ts'

export const DEVICE_COOKIE = 'lodge_device'
const KEPT_DAYS = 90
const FORM = /^([\w-]{16})\.(\d{10})\.([\w-]{43})$/

type Known = Pick<UserRow, 'id' | 'passwordHash'>

/** Bound to the account and to its present password, so whoever changes that ends all of them. */
const signatureOf = (ctx: Ctx, user: Known, device: string, issued: string): Buffer =>
  ctx.vault.sign('known device', JSON.stringify([user.id, user.passwordHash, device, issued]))

/**
 * Gives the browser a fresh cookie by which it is known to have signed in to this account. It proves
 * nothing and opens nothing: it only says whose budget wrong passwords from here count against.
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

/** The id of the browser, where this very account was signed in to with it. */
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
 * Takes one sign-in from the budget of the browser, where it is known, else from that of the account
 * (after OWASP's device cookies). What that makes of guesses at a password:
 *
 * - A stranger has the account's budget as before: 20 at once, then one each three minutes, from however
 *   many addresses. A cookie of another account, or a made-up one, counts as none.
 * - The owner's browser has ten at once and one each ten minutes that no stranger can use up, and the
 *   account's budget after them.
 * - Whoever stole the cookie has these ten and one each ten minutes more, for 90 days at most and only
 *   until the password changes.
 * @returns 0 when it was taken, else after how many seconds there is one
 */
export async function takeSignIn(
  ctx: Ctx,
  email: string,
  user: Known | undefined,
  http: Exchange,
): Promise<number> {
  const device = knownDevice(ctx, user, http)
  if (device && (await secondsUntilTaken(ctx.db, 'signInDevice', device)) === 0) return 0
  return secondsUntilTaken(ctx.db, 'signInAccount', email)
}
