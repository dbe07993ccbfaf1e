import type { MinuteState } from '@lodge/shared/status.ts'
import { asc, gt, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { type SpanRow, statusSpans } from '../tables.ts'

/** How many days minutes are kept: those that the page shows, and a few more for other time zones. */
const KEPT_DAYS = 93

/**
 * Advances the clock past the current minute, unless another instance has.
 * @returns the minute to record, by the database's clock
 */
export async function takeMinute(db: Db): Promise<{ from: Date; until: Date } | undefined> {
  const { rows } = await db.execute<{ from: string; until: string }>(sql`
    insert into status_clock (id, recorded_until, unbroken_since)
    select 1, minute + interval '1 minute', minute
    from (select date_trunc('minute', statement_timestamp()) as minute) present
    on conflict (id) do update set recorded_until = excluded.recorded_until,
      unbroken_since = case when status_clock.recorded_until = excluded.unbroken_since
        then status_clock.unbroken_since else excluded.unbroken_since end
    where status_clock.recorded_until <= excluded.unbroken_since
    returning recorded_until - interval '1 minute' as "from", recorded_until as until`)
  const [row] = rows
  return row && { from: new Date(row.from), until: new Date(row.until) }
}

/** Records one minute of these components: extends the preceding span, or begins a new one. */
export async function recordMinute(
  db: Db,
  { from, until }: { readonly from: Date; readonly until: Date },
  states: readonly { readonly id: string; readonly state: MinuteState }[],
): Promise<void> {
  if (states.length === 0) return
  await db.execute(sql`
    with present as (select * from unnest(
        ${sql.param(states.map(({ id }) => id))}::uuid[],
        ${sql.param(states.map(({ state }) => state))}::text[]) as present(id, state)),
    grown as (update status_spans set until = ${until.toISOString()} from present
      where component_id = present.id and status_spans.state = present.state
        and status_spans.until = ${from.toISOString()}
      returning component_id)
    insert into status_spans (component_id, "from", until, state)
    select id, ${from.toISOString()}, ${until.toISOString()}, state from present
    where id not in (select component_id from grown)
      and id in (select id from status_components)`)
}

/** Recorded spans since a time, the oldest first. */
export const listSpans = (db: Db, since: Date): Promise<SpanRow[]> =>
  db.select().from(statusSpans).where(gt(statusSpans.until, since)).orderBy(asc(statusSpans.from))

export async function deleteOldSpans(db: Db): Promise<number> {
  const rows = await db
    .delete(statusSpans)
    .where(lt(statusSpans.until, sql`now() - make_interval(days => ${KEPT_DAYS})`))
    .returning({ id: statusSpans.componentId })
  return rows.length
}
