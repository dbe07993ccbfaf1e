import { useSyncExternalStore } from 'react'

/**
 * What is dangerous is asked for again once somebody has shown that it is still them. All calls that
 * are refused meanwhile wait for the same answer.
 */
let asked:
  | { readonly answer: Promise<boolean>; readonly settle: (shown: boolean) => void }
  | undefined
const listeners = new Set<() => void>()
const tell = (): void => {
  for (const listener of listeners) listener()
}

/** Opens the dialog; resolves to whether they have shown it. */
export function askForProof(): Promise<boolean> {
  if (asked) return asked.answer
  const { promise, resolve } = Promise.withResolvers<boolean>()
  asked = { answer: promise, settle: resolve }
  tell()
  return promise
}

/** Ends the question, one way or the other. */
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
