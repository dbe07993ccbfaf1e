import { setTimeout as pause } from 'node:timers/promises'
import { generate } from 'otplib'

const STEP_SECONDS = 30
/**
 * The least time left in a step, for what a test does with its code, also on a busy machine. More for
 * the previous step, whose code is also typed in dialogs and refused once the present step is over.
 */
const ROOM_MS = { present: 4_000, previous: 12_000 }

/**
 * The time of a step, in seconds. Near the end of a step it waits for the next one: the code of the
 * previous step is accepted until then and no longer.
 */
export async function epochOfStep(steps = 0): Promise<number> {
  const stepMs = STEP_SECONDS * 1000
  const nextMs = (Math.floor(Date.now() / stepMs) + 1) * stepMs
  const roomMs = steps < 0 ? ROOM_MS.previous : ROOM_MS.present
  // A timer may fire a moment before its time, which is the step before.
  while (nextMs - roomMs < Date.now() && Date.now() < nextMs) await pause(nextMs - Date.now())
  return Math.floor(Date.now() / 1000) + steps * STEP_SECONDS
}

/**
 * The code that an authenticator shows.
 * @param steps -1 is the code of the previous time step, which leaves the current one unused
 */
export async function totpCode(secret: string, steps = 0): Promise<string> {
  return generate({ secret, epoch: await epochOfStep(steps) })
}
