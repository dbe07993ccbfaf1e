import { useState } from 'react'

/**
 * Links of mails carry their one-time token behind `#`, which browsers never send. It stays in the
 * address until it is used, so that the page may be loaded again.
 */

let kept: { readonly path: string; readonly hash: string } | undefined

/** Remembers what stands behind `#` while somebody signs in on the way to this page. */
export function keepHash(path: string, hash: string): void {
  kept = { path, hash }
}

function hashHere(): string {
  if (location.hash !== '') return location.hash.slice(1)
  return kept?.path === location.pathname ? kept.hash : ''
}

/** What the link of this page carries by that name, e.g. `token`; empty when there is nothing. */
export function useFromLink(name: 'token' | 'code'): string {
  const [value] = useState(() => new URLSearchParams(hashHere()).get(name) ?? '')
  return value
}

/** Takes a used token out of the address and out of the history. */
export function forgetHash(): void {
  kept = undefined
  history.replaceState(history.state, '', location.pathname + location.search)
}
