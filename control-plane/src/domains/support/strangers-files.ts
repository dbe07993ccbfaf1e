import type { Ctx } from '../../context.ts'
import { secondsUntilTaken } from '../../http/throttle.ts'
import { supportBudgets } from './budgets.ts'

const MIB = 1024 * 1024

/**
 * Takes room for files of people without an account, which all of them share: anybody can send them, as
 * often as they like, and would use up the space for everybody's files.
 * @returns 0 if there was room, else the seconds until there is
 */
export function secondsUntilRoom({ db }: Pick<Ctx, 'db'>, bytes: number): Promise<number> {
  const mib = Math.ceil(bytes / MIB)
  if (mib === 0) return Promise.resolve(0)
  const budget = supportBudgets.strangersFiles
  const rate = { secondsEach: budget.secondsEach * mib, burst: budget.burst / mib }
  return secondsUntilTaken(db, budget, 'all', rate)
}
