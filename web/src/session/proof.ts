import { useSyncExternalStore } from 'react'

/**
 * Dangerous calls are repeated once the person has confirmed their identity. All calls refused
 * meanwhile wait for the same confirmation.
 */
let pending:
  | { readonly answer: Promise<boolean>; readonly settle: (shown: boolean) => void }
  | undefined
const listeners = new Set<() => void>()
const notify = (): void => {
  for (const listener of listeners) listener()
}

/** Opens the step-up dialog; resolves to whether the person confirmed their identity. */
export function askForProof(): Promise<boolean> {
  if (pending) return pending.answer
  const { promise, resolve } = Promise.withResolvers<boolean>()
  pending = { answer: promise, settle: resolve }
  notify()
  return promise
}

/** Closes the dialog with its result. */
export function settleProof(shown: boolean): void {
  pending?.settle(shown)
  pending = undefined
  notify()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useProofAsked = (): boolean =>
  useSyncExternalStore(subscribe, () => pending !== undefined)
