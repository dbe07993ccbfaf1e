import type { AnyRouter } from '@tanstack/react-router'

/** Path segments without characters that have a special meaning in URLs. */
const PLAIN = /^(\/[\w-]{1,80}){1,12}$/
/** The frame of pages for signed-in people, and the id of its route for unknown paths. */
const INSIDE = '/in'
const MISSING = '/in/$'

/**
 * Whether a page of a plugin may open this path: only pages of the panel for signed-in people.
 * Opening one of these has no effect, unlike the pages of mailed links.
 */
export function isOpenable(router: AnyRouter, path: string): boolean {
  if (!PLAIN.test(path)) return false
  const matched = router.getMatchedRoutes(path)[0].map(({ id }) => id)
  return matched.includes(INSIDE) && !matched.includes(MISSING)
}
