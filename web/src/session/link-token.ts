import { useState } from 'react'

/**
 * Links in mails carry their one-time token behind `#`, which browsers never send. It stays in the
 * address until used, so that the page can be reloaded.
 */

let kept: { readonly path: string; readonly hash: string } | undefined

/** Stores the part behind `#` while somebody signs in on the way to this page. */
export function keepHash(path: string, hash: string): void {
  kept = { path, hash }
}

function hashHere(): string {
  if (location.hash !== '') return location.hash.slice(1)
  return kept?.path === location.pathname ? kept.hash : ''
}

/** A parameter behind `#`, e.g. `token`; empty when absent. */
export function useFromLink(name: 'token' | 'code'): string {
  const [value] = useState(() => new URLSearchParams(hashHere()).get(name) ?? '')
  return value
}

/** Removes a used token from the address and the history. */
export function forgetHash(): void {
  kept = undefined
  history.replaceState(history.state, '', location.pathname + location.search)
}
