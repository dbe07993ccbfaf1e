import { safeNext } from './session.ts'

// Where somebody wanted to go who had no account yet: the link that confirms their address opens another tab.

const KEY = 'lodge.wanted-page'

/** Remembers it until the next sign-up in this browser. */
export function keepWantedPage(next: string | undefined): void {
  if (next === undefined) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, safeNext(next))
}

export const wantedPage = (): string | undefined => localStorage.getItem(KEY) ?? undefined
