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

/** Whether the calling dialog is the topmost. */
export function useTopmost(opened: boolean): boolean {
  const id = useId()
  const top = useSyncExternalStore(subscribe, () => open.at(-1))
  useEffect(() => {
    if (!opened) return
    put([...open, id])
    return () => put(open.filter((other) => other !== id))
  }, [id, opened])
  return top === id
}
