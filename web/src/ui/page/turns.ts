import { startTransition, useEffect, useState, useSyncExternalStore } from 'react'

/** True until everything that waited for its turn at startup is rendered. */
let isStarting = true
let waiting = 0
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether startup is over: data that is not needed first is fetched only then. */
export const useStarted = (): boolean => useSyncExternalStore(subscribe, hasStarted, hasStarted)
const hasStarted = (): boolean => !isStarting

function endStart(): void {
  if (!isStarting || waiting > 0) return
  isStarting = false
  for (const listener of listeners) listener()
}

/**
 * Whether a costly part may render. During startup, each such part gets its own task, so that the
 * browser can paint and respond in between; later all render immediately.
 * @param isReady waits for its turn only once there is something to render
 */
export function useTurn(isReady = true): boolean {
  const [hasTurn, setTurn] = useState(!isStarting)
  useEffect(() => {
    if (hasTurn || !isReady) return
    waiting += 1
    // As a transition, React renders in slices, between which a slow device stays responsive.
    const timer = setTimeout(() => startTransition(() => setTurn(true)))
    return () => {
      clearTimeout(timer)
      waiting -= 1
      // Parts nested inside this one are registered only after it has rendered.
      setTimeout(endStart)
    }
  }, [hasTurn, isReady])
  return hasTurn
}
