import { startTransition, useEffect, useState, useSyncExternalStore } from 'react'

/** Until everything that waited for its turn when the panel was opened is drawn. */
let isStarting = true
let waiting = 0
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether the panel has started: what nobody looks for first is fetched only then. */
export const useStarted = (): boolean => useSyncExternalStore(subscribe, hasStarted, hasStarted)
const hasStarted = (): boolean => !isStarting

function endStart(): void {
  if (!isStarting || waiting > 0) return
  isStarting = false
  for (const listener of listeners) listener()
}

/**
 * Whether a costly part may be drawn. While the panel starts, each such part gets a task of its own,
 * so that the browser can paint and answer in between; later all are drawn at once.
 * @param isReady its turn comes only once there is something to draw
 */
export function useTurn(isReady = true): boolean {
  const [hasTurn, setTurn] = useState(!isStarting)
  useEffect(() => {
    if (hasTurn || !isReady) return
    waiting += 1
    // As a transition, React draws it in slices between which a slow device answers its person.
    const timer = setTimeout(() => startTransition(() => setTurn(true)))
    return () => {
      clearTimeout(timer)
      waiting -= 1
      // What waits inside this part is counted only after this.
      setTimeout(endStart)
    }
  }, [hasTurn, isReady])
  return hasTurn
}
