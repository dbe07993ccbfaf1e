import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import argon2 from 'argon2'
import { Problem } from '../../problem.ts'

/** Cost of one hash (OWASP's second recommendation for argon2id). */
const COST = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** Leaves one core for users who are already signed in. */
const MAX_AT_ONCE = Math.max(1, availableParallelism() - 1)
const MAX_WAITING = 200

let running = 0
const waiting: (() => void)[] = []

/** A hash takes tens of milliseconds of a core and 19 MiB, so only a few run at once. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_AT_ONCE) {
    if (waiting.length >= MAX_WAITING)
      throw new Problem('rate_limited', 'Too many sign-ins at once: try again in a moment', {
        retryAfterSeconds: 2,
      })
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push(resolve)
    await promise
  }
  running++
  try {
    return await work()
  } finally {
    running--
    waiting.shift()?.()
  }
}

/** NFC: keyboards encode the same password differently. */
const normalised = (password: string) => password.normalize('NFC')

/** argon2id in PHC form. */
export const hashPassword = (password: string): Promise<string> =>
  inTurn(() => argon2.hash(normalised(password), COST))

const random = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '')
/** Costs what others cost to compare, and no password has it. */
const DUMMY = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${random(16)}$${random(32)}`

/**
 * Takes the same time whether or not there is a hash, so it does not reveal which accounts exist.
 */
export async function passwordMatches(
  hash: string | null | undefined,
  password: string,
): Promise<boolean> {
  const matches = await inTurn(() => argon2.verify(hash ?? DUMMY, normalised(password)))
  return matches && typeof hash === 'string'
}
