import { useEffect, useId, useSyncExternalStore } from 'react'

/** Open dialogs, the topmost last: Escape closes only that one. */
let open: readonly string[] = []
const listeners = new Set<() => void>()

function put(next: readonly string[]): void {
  open = next
  for (const listener of listeners) listener()
}
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** How many open dialogs the calling one is above, and whether none is above it. */
export function useStack(opened: boolean): { readonly above: number; readonly isTopmost: boolean } {
  const id = useId()
  const all = useSyncExternalStore(subscribe, () => open)
  useEffect(() => {
    if (!opened) return
    put([...open, id])
    return () => put(open.filter((other) => other !== id))
  }, [id, opened])
  return { above: Math.max(0, all.indexOf(id)), isTopmost: all.at(-1) === id }
}
