import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'

/**
 * Replies about the server rather than about one mail: unreachable, busy, or connection or sign-in
 * refused. A mail that is itself refused for good does not wait.
 */
const OF_THE_SERVER = sql`(smtp_code is null or smtp_code in (421, 454) or smtp_code >= 500)`

/** The waiting mails, if none has been sent since the oldest of them was queued. */
export async function mailsStuck(
  db: Db,
  leastAttempts: number,
): Promise<{ waiting: number; since: Date; error: string } | undefined> {
  const { rows } = await db.execute<{ waiting: number; since: number; error: string }>(sql`
    with stuck as (
      select created_at, next_attempt_at, last_error from email_messages
      where state = 'queued' and attempts >= ${leastAttempts} and last_error is not null and ${OF_THE_SERVER})
    select count(*)::int as waiting, extract(epoch from min(created_at))::float8 * 1000 as since,
      (array_agg(last_error order by next_attempt_at desc))[1] as error
    from stuck having count(*) > 0 and not exists (
      select from email_messages where state = 'sent' and ended_at > (select min(created_at) from stuck))`)
  const [row] = rows
  return row && { ...row, since: new Date(row.since) }
}
