import { useSyncExternalStore } from 'react'

/**
 * Dangerous calls are repeated once the person has confirmed their identity. All calls refused
 * meanwhile wait for the same confirmation.
 */
let asked:
  | { readonly answer: Promise<boolean>; readonly settle: (shown: boolean) => void }
  | undefined
const listeners = new Set<() => void>()
const tell = (): void => {
  for (const listener of listeners) listener()
}

/** Opens the step-up dialog; resolves to whether the person confirmed their identity. */
export function askForProof(): Promise<boolean> {
  if (asked) return asked.answer
  const { promise, resolve } = Promise.withResolvers<boolean>()
  asked = { answer: promise, settle: resolve }
  tell()
  return promise
}

/** Closes the dialog with its result. */
export function settleProof(shown: boolean): void {
  asked?.settle(shown)
  asked = undefined
  tell()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useProofAsked = (): boolean =>
  useSyncExternalStore(subscribe, () => asked !== undefined)
