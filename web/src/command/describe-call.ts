import type { Call } from './call.ts'

/** Thrown in place of sending a change that is only to be described. */
export class Described extends Error {
  readonly call: Call

  constructor(call: Call) {
    super(call.key)
    this.call = call
  }
}

let describing = 0

/** Whether changes are described now; the API's client then throws `Described` instead of sending. */
export const isDescribing = (): boolean => describing > 0

/**
 * The change that an action would ask for first. The action runs until there; nothing is sent.
 * @returns undefined if it asks for none
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
