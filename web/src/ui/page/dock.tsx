import { type ComponentType, useSyncExternalStore } from 'react'

let docked: ComponentType | undefined
const listeners = new Set<() => void>()

/** Shows something in the corner of every page from now on, such as work that outlives its page. */
export function dock(View: ComponentType): void {
  docked = View
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The place of what is docked, in the frame of the panel. */
export function Dock() {
  const View = useSyncExternalStore(listen, () => docked)
  return View ? <View /> : null
}
