import { useSyncExternalStore } from 'react'

/** State of the event stream in this tab. */
export type Connection =
  | { readonly state: 'connecting' | 'open' }
  | { readonly state: 'lost'; readonly retryAt: number }

let current: Connection = { state: 'connecting' }
const listeners = new Set<() => void>()

export function setConnection(next: Connection): void {
  current = next
  for (const listener of listeners) listener()
}

export const connection = (): Connection => current

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useConnection = (): Connection => useSyncExternalStore(subscribe, connection)
