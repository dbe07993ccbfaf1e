import type { AnyRouter } from '@tanstack/react-router'

/** Steps of an address without anything that means something else in one. */
const PLAIN = /^(\/[\w-]{1,80}){1,12}$/
/** The frame of pages for who is signed in, and the route of addresses in it that are none of the panel. */
const INSIDE = '/in'
const MISSING = '/in/$'

/**
 * Whether a page of a plugin may open this address: a page of the panel for who is signed in. None of these does
 * anything by being opened, as the pages of mailed links do.
 */
export function isOpenable(router: AnyRouter, path: string): boolean {
  if (!PLAIN.test(path)) return false
  const matched = router.getMatchedRoutes(path)[0].map(({ id }) => id)
  return matched.includes(INSIDE) && !matched.includes(MISSING)
}
