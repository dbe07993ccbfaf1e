import { databaseFault, isDatabaseAway } from '../db/database.ts'
import { Problem } from '../problem.ts'
import type { Services } from '../services.ts'

/** PostgreSQL ended a statement that took too long: that may be of this one alone. */
const TOO_SLOW = '57014'

/**
 * Does something about each of these by itself, in order. One that fails comes again with the next round,
 * and holds up none behind it.
 * @param work returns how much it did, or whether it did anything
 * @param stopped the rest is left to another start
 * @returns how much was done
 * @throws while the database is away, for whatever is behind it
 */
export async function oneByOne<T>(
  { log }: Pick<Services, 'log'>,
  items: readonly T[],
  work: (item: T) => Promise<number | boolean>,
  stopped?: AbortSignal,
): Promise<number> {
  let done = 0
  for (const item of items) {
    if (stopped?.aborted) break
    try {
      done += Number(await work(item))
    } catch (error) {
      if (isDatabaseAway(error) && databaseFault(error)?.code !== TOO_SLOW) throw error
      // Another instance was quicker, for example, or another job is under way.
      if (error instanceof Problem) log.debug({ err: error, item }, 'it comes again')
      else log.error({ err: error, item }, 'it failed and comes again')
    }
  }
  return done
}
