import { useRouterState } from '@tanstack/react-router'
import { useCallback, useSyncExternalStore } from 'react'
import type { NavigationEntry } from '../panel/define-pages.ts'
import { usePanel } from '../panel/use-panel.ts'
import { paths } from '../paths.ts'
import { useMe } from '../session/session.ts'
import { t } from './words.ts'

/** Administration of the host, or the person's own servers, as a customer sees them. */
export type Side = 'administration' | 'own'

export const sideName = (side: Side): string => (side === 'own' ? t.own : t.administration)

const KEY = 'lodge.side'
const listeners = new Set<() => void>()
let kept: Side | undefined

/** Storage may be blocked; then the choice lasts until the page is closed. */
function keptSide(): Side {
  try {
    kept ??= localStorage.getItem(KEY) === 'own' ? 'own' : 'administration'
  } catch {
    kept ??= 'administration'
  }
  return kept
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function keepSide(side: Side): void {
  kept = side
  try {
    localStorage.setItem(KEY, side)
  } catch {
    // Kept in this page only.
  }
  for (const listener of listeners) listener()
}

/** The current side, and a function that changes it. Customers have only their own. */
export function useSide(): [Side, (side: Side) => void] {
  const { role } = useMe()
  const chosen = useSyncExternalStore(subscribe, keptSide, keptSide)
  const inAdministration = useRouterState({
    select: ({ location }) => /^\/admin(\/|$)/.test(location.pathname),
  })
  const side = role !== 'admin' ? 'own' : inAdministration ? 'administration' : chosen
  return [side, useCallback(keepSide, [])]
}

/** Where an entry of the navigation leads on a side. */
export const entryTarget = ({ to, ownSearch }: NavigationEntry, side: Side) => ({
  to,
  // Entries are data; the type of each route's search is checked where it is read.
  search: (side === 'own' ? (ownSearch ?? {}) : {}) as never,
})

/** The first page of a side. */
export function useStartOf(): (side: Side) => ReturnType<typeof entryTarget> {
  const { navigation } = usePanel()
  return (side) => {
    const own = navigation.find(({ ownSearch }) => ownSearch !== undefined)
    if (side === 'own' && own) return entryTarget(own, side)
    return { to: side === 'own' ? paths.servers : paths.overview, search: {} as never }
  }
}
