import type { Ctx } from '../../context.ts'
import { secondsUntilTaken } from '../../http/throttle.ts'
import { supportBudgets } from './budgets.ts'

const MIB = 1024 * 1024

/**
 * Takes room from the shared budget for files of people without an account: anybody can send them, as
 * often as they like, and would fill the disk for everybody.
 * @returns 0 if there was room, otherwise the seconds until there is
 */
export function secondsUntilRoom({ db }: Pick<Ctx, 'db'>, bytes: number): Promise<number> {
  const mib = Math.ceil(bytes / MIB)
  if (mib === 0) return Promise.resolve(0)
  const budget = supportBudgets.strangersFiles
  const rate = { secondsEach: budget.secondsEach * mib, burst: budget.burst / mib }
  return secondsUntilTaken(db, budget, 'all', rate)
}
