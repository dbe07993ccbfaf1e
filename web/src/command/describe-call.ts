import type { Call } from './call.ts'

/** Thrown instead of sending a change, when that is only to be described. */
export class Described extends Error {
  readonly call: Call

  constructor(call: Call) {
    super(call.key)
    this.call = call
  }
}

let describing = 0

/** Whether changes are being described; the API client then throws `Described` instead of sending. */
export const isDescribing = (): boolean => describing > 0

/**
 * The first change that an action would send. The action runs up to that point; nothing is sent.
 * @returns undefined if it sends none
 */
export async function describeCall(act: () => Promise<unknown>): Promise<Call | undefined> {
  describing += 1
  try {
    await act()
    return undefined
  } catch (error) {
    if (error instanceof Described) return error.call
    throw error
  } finally {
    describing -= 1
  }
}
