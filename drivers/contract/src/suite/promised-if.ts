import { it } from 'vitest'

/** Like `it` for what a driver can do. What it cannot do is no promise of its own: there is nothing to skip. */
export const promisedIf =
  (can: boolean) =>
  (name: string, run: () => Promise<void>): void => {
    if (can) it(name, run)
  }
