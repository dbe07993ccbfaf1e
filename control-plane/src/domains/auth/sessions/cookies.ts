import type { Exchange } from '../../../http/endpoint.ts'
import { LANGUAGE_COOKIE } from '../../../http/page-language.ts'
import type { UserRow } from '../../customers/index.ts'

/** Maximum age of sessions and of what belongs to them. */
export const ABSOLUTE_DAYS = { admin: 7, customer: 30 } as const

/**
 * Cookies are `Secure` when the panel is reached by TLS; over plain HTTP a browser would discard
 * them.
 */
export const isSecure = (http: Exchange): boolean =>
  http.request.protocol === 'https' || http.request.headers.origin?.startsWith('https:') === true

export const cookieOptions = (http: Exchange) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(http) }) as const

/** Makes pages outside the panel use the account's language as well. */
export function rememberLanguage(
  { preferences, role }: Pick<UserRow, 'preferences' | 'role'>,
  http: Exchange,
): void {
  const present = http.request.cookies[LANGUAGE_COOKIE]
  const language = preferences.language ?? undefined
  if (language === present) return
  const maxAge = ABSOLUTE_DAYS[role] * 86_400
  if (language === undefined) forgetLanguage(http)
  else http.reply.setCookie(LANGUAGE_COOKIE, language, { ...cookieOptions(http), maxAge })
}

/** Leaves the language to the browser again. */
export function forgetLanguage(http: Exchange): void {
  http.reply.clearCookie(LANGUAGE_COOKIE, cookieOptions(http))
}
