import { sql } from 'drizzle-orm'
import { type Db, isTransaction } from '../db/database.ts'
import { Problem } from '../problem.ts'

/** Budgets that all instances share: at most `burst` at once, then one each `secondsEach`. */
export const BUDGETS = {
  signIn: { secondsEach: 60, burst: 10 },
  signInAccount: { secondsEach: 180, burst: 20 },
  challenge: { secondsEach: 6, burst: 60 },
  bootstrap: { secondsEach: 360, burst: 10 },
  enroll: { secondsEach: 360, burst: 10 },
  consoleTicket: { secondsEach: 2, burst: 30 },
  password: { secondsEach: 60, burst: 10 },
  testMail: { secondsEach: 12, burst: 5 },
  forgot: { secondsEach: 360, burst: 10 },
  forgotAccount: { secondsEach: 1200, burst: 3 },
  recoverAccount: { secondsEach: 90, burst: 10 },
  redeem: { secondsEach: 360, burst: 10 },
  invite: { secondsEach: 60, burst: 30 },
  register: { secondsEach: 720, burst: 5 },
} as const
export type Budget = keyof typeof BUDGETS

/**
 * Takes one from a budget or refuses. One statement (generic cell rate algorithm), so parallel
 * requests on several instances can never take more than there is. It is not waited for until the
 * disk has it: a crash of PostgreSQL may give back what was taken in the last second.
 * @param key whose budget, e.g. an address or an account id
 */
export async function take(db: Db, budget: Budget, key: string): Promise<void> {
  const { secondsEach, burst } = BUDGETS[budget]
  const each = sql`make_interval(secs => ${secondsEach})`
  const quickly = isTransaction(db) ? sql`` : sql`set_config('synchronous_commit', 'off', true),`
  const { rows } = await db.execute<{ taken: boolean; wait: number | null }>(sql`
    with taken as (
      insert into rate_limits as r (key, full_at)
      values (${`${budget}:${key}`}, clock_timestamp() + ${each})
      on conflict (key) do update
        set full_at = greatest(r.full_at, clock_timestamp()) + ${each}
        where greatest(r.full_at, clock_timestamp()) + ${each}
          <= clock_timestamp() + make_interval(secs => ${secondsEach * burst})
      returning 1)
    select ${quickly} exists (select 1 from taken) as taken,
      (select extract(epoch from full_at - clock_timestamp())::float8 from rate_limits
        where key = ${`${budget}:${key}`}) as wait`)
  const [answer] = rows
  if (answer?.taken) return
  const wait = answer?.wait ?? null
  // Nothing was taken from a budget that was written while this asked: only the next question sees it.
  if (wait === null) return take(db, budget, key)
  const seconds = Math.max(1, Math.ceil(wait - secondsEach * (burst - 1)))
  throw new Problem('rate_limited', `Too many attempts: try again in ${seconds} seconds`, {
    retryAfterSeconds: seconds,
  })
}
