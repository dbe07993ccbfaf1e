import { it } from 'vitest'

/**
 * Like `it`, but defines the test only if the driver supports it: a missing ability breaks no
 * promise, so there is nothing to skip.
 */
export const promisedIf =
  (can: boolean) =>
  (name: string, run: () => Promise<void>): void => {
    if (can) it(name, run)
  }
