import { sql } from 'drizzle-orm'
import { type Db, isTransaction } from '../db/database.ts'
import { Problem } from '../problem.ts'
import { type Budget, httpBudgets, type Rate } from './budgets.ts'
import type { Declared } from './endpoint.ts'

/** Whether a request to this endpoint counts as a change of the account. */
export const isCounted = ({ method, access }: Pick<Declared, 'method' | 'access'>): boolean =>
  method !== 'GET' && access.who !== 'agent' && !('pieces' in access && access.pieces)

/**
 * Takes one unit from a budget or refuses.
 * @param key the budget's owner, e.g. an address or account id
 * @param rate the operator's setting, if any
 */
export async function take(
  db: Db,
  budget: Budget,
  key: string,
  rate: Rate = budget,
): Promise<void> {
  const seconds = await secondsUntilTaken(db, budget, key, rate)
  if (seconds === 0) return
  const what = budget === httpBudgets.change ? 'changes' : 'attempts'
  throw new Problem('rate_limited', `Too many ${what}: try again in ${seconds} seconds`, {
    retryAfterSeconds: seconds,
  })
}

/**
 * Takes one unit from a budget. A single statement (generic cell rate algorithm), so parallel
 * requests on several instances can never exceed it. It does not wait for the disk: a PostgreSQL
 * crash may refund the last second.
 * @returns 0 if taken, else the seconds until one is available
 */
export async function secondsUntilTaken(
  db: Db,
  budget: Budget,
  key: string,
  rate: Rate = budget,
): Promise<number> {
  const { secondsEach, burst } = rate
  const each = sql`make_interval(secs => ${secondsEach})`
  const quickly = isTransaction(db) ? sql`` : sql`set_config('synchronous_commit', 'off', true),`
  const { rows } = await db.execute<{ taken: boolean; wait: number | null }>(sql`
    with taken as (
      insert into rate_limits as r (key, full_at)
      values (${`${budget.name}:${key}`}, clock_timestamp() + ${each})
      on conflict (key) do update
        set full_at = greatest(r.full_at, clock_timestamp()) + ${each}
        where greatest(r.full_at, clock_timestamp()) + ${each}
          <= clock_timestamp() + make_interval(secs => ${secondsEach * burst})
      returning 1)
    select ${quickly} exists (select 1 from taken) as taken,
      (select extract(epoch from full_at - clock_timestamp())::float8 from rate_limits
        where key = ${`${budget.name}:${key}`}) as wait`)
  const [answer] = rows
  if (answer?.taken) return 0
  const wait = answer?.wait ?? null
  // A concurrent insert of this budget is invisible to our snapshot, so nothing was taken: retry
  // with a new statement.
  if (wait === null) return secondsUntilTaken(db, budget, key, rate)
  return Math.max(1, Math.ceil(wait - secondsEach * (burst - 1)))
}
