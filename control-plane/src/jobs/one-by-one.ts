import { databaseFault, isDatabaseAway } from '../db/database.ts'
import { Problem } from '../problem.ts'
import type { Services } from '../services.ts'

/** PostgreSQL ended a statement that took too long, which may be the fault of this item alone. */
const TOO_SLOW = '57014'

/**
 * Works on each item by itself, in order. One that fails is tried again in the next round and does not
 * hold up those behind it.
 * @param work returns how much it did, or whether it did anything
 * @param stopped skips the remaining items when aborted
 * @returns the sum of what was done
 * @throws when the database is unavailable, since every further item would fail too
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
