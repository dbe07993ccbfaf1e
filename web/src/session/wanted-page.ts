import { safeNext } from './session.ts'

// The page that somebody without an account wanted to open: the link that confirms their address
// opens in another tab.

const KEY = 'lodge.wanted-page'

/** Remembers it until the next sign-up in this browser. */
export function keepWantedPage(next: string | undefined): void {
  if (next === undefined) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, safeNext(next))
}

export const wantedPage = (): string | undefined => localStorage.getItem(KEY) ?? undefined
