import { type SQL, sql } from 'drizzle-orm'
import { tryLock } from '../../db/advisory-locks.ts'
import type { Db } from '../../db/database.ts'
import { bucket, bucketStart, nodeSeries, type Series, serverSeries } from './series.ts'

// Samples become five-minute rows, and those become hours, bucket by bucket. `metrics_progress` records
// the progress; each bucket and its step forward are one transaction, so a crash at any moment loses
// nothing. A bucket is closed GRACE after its end. Reports that store samples of a bucket later than one
// minute after its end mark it in `metrics_late` (ingest.ts): since no such transaction lasts for the
// two minutes in between, no sample can be missed by both.
//
// Samples are unlogged, so a PostgreSQL crash may lose them. A bucket is therefore never replaced by one
// computed from fewer samples.

const FIVE_MINUTES_S = 300
const HOUR_S = 3600
const GRACE_MS = 3 * 60_000
const SAMPLES_KEPT_MS = 24 * 3_600_000
const BUCKETS_PER_RUN = 60
const LATE_BUCKETS_PER_RUN = 24
const SERIES = [serverSeries, nodeSeries]

/** Rolls up ended buckets, a bounded number per run; only the first instance does anything. */
export async function rollUp(db: Db, now: Date): Promise<{ buckets: number; late: number }> {
  let buckets = 0
  while (buckets < BUCKETS_PER_RUN && (await alone(db, (tx, through) => advance(tx, through, now))))
    buckets++
  let late = 0
  while (late < LATE_BUCKETS_PER_RUN && (await alone(db, catchUp))) late++
  return { buckets, late }
}

/** Runs `step` in its own transaction unless another instance is running it; false in that case. */
const alone = (
  db: Db,
  step: (tx: Db, through: Date | undefined) => Promise<boolean>,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    if (!(await tryLock(tx, 'metricsRollup'))) return false
    const progress = await tx.execute<{ through: number }>(
      sql`select extract(epoch from through)::float8 * 1000 as through from metrics_progress`,
    )
    const through = progress.rows[0]?.through
    return step(tx, through === undefined ? undefined : new Date(through))
  })

/** Rolls up one more bucket, and skips the empty ones after an empty one; false if the next has not ended. */
async function advance(db: Db, through: Date | undefined, now: Date): Promise<boolean> {
  // Everything before the oldest kept sample can be skipped in one step.
  const oldest = bucketStart(FIVE_MINUTES_S, new Date(now.getTime() - SAMPLES_KEPT_MS))
  const from = through && through > oldest ? through : oldest
  const closed = bucketStart(FIVE_MINUTES_S, new Date(now.getTime() - GRACE_MS))
  if (from >= closed) return false
  let rows = 0
  for (const series of SERIES) rows += await rollFiveMinutes(db, series, from)
  const next = after(from, FIVE_MINUTES_S)
  // A new installation, and one that was off, has nothing to roll up.
  const to = rows > 0 ? next : await nextWithSamples(db, next, closed)
  for (const series of SERIES) {
    const hour = bucketStart(HOUR_S, through ?? from)
    if (hour < bucketStart(HOUR_S, to)) await rollHours(db, series, hour, bucketStart(HOUR_S, to))
  }
  await db.execute(sql`
    insert into metrics_progress (through) values (${to.toISOString()}::timestamptz)
    on conflict (single) do update set through = excluded.through`)
  return true
}

/** The first bucket from `from` with samples, at most `until`. */
async function nextWithSamples(db: Db, from: Date, until: Date): Promise<Date> {
  let first = until
  for (const { raw } of SERIES) {
    const { rows } = await db.execute<{ at: number }>(sql`
      select extract(epoch from at)::float8 * 1000 as at from ${raw}
      where at >= ${from.toISOString()}::timestamptz and at < ${first.toISOString()}::timestamptz
      order by at limit 1`)
    if (rows[0]) first = bucketStart(FIVE_MINUTES_S, new Date(rows[0].at))
  }
  return first
}

/** Redoes the oldest bucket that received late samples; false if there is none. */
async function catchUp(db: Db, through: Date | undefined): Promise<boolean> {
  const { rows } = await db.execute<{ at: number; nodes: string[] }>(sql`
    with marks as (
      delete from metrics_late where at = (select min(at) from metrics_late) returning node_id, at)
    select extract(epoch from at)::float8 * 1000 as at, array_agg(distinct node_id::text) as nodes
    from marks group by at`)
  const mark = rows[0]
  if (!mark) return false
  const at = new Date(mark.at)
  // A bucket not rolled up yet will include the late samples anyway.
  if (!through || at >= through) return true
  const hour = bucketStart(HOUR_S, at)
  for (const series of SERIES) {
    await rollFiveMinutes(db, series, at, mark.nodes)
    if (after(hour, HOUR_S) <= through)
      await rollHours(db, series, hour, after(hour, HOUR_S), mark.nodes)
  }
  return true
}

/** @returns how many rows it wrote */
async function rollFiveMinutes(
  db: Db,
  series: Series,
  from: Date,
  nodeIds?: readonly string[],
): Promise<number> {
  const figures = series.averaged.map((name) => sql.raw(`avg(${name}), max(${name})`))
  const { rows } = await db.execute<{ written: number }>(sql`
    with written as (insert into ${series.fiveMinutes} as old (key, at, samples, ${columnsOf(series)})
    select key, ${from.toISOString()}::timestamptz, count(*), ${sql.join(figures, sql`, `)}, max(disk)
    from ${series.raw} where ${within(series, from, after(from, FIVE_MINUTES_S), nodeIds)} group by key
    ${unlessFewer(series)} returning 1)
    select count(*)::int as written from written`)
  return rows[0]?.written ?? 0
}

async function rollHours(
  db: Db,
  series: Series,
  from: Date,
  to: Date,
  nodeIds?: readonly string[],
): Promise<void> {
  const figures = series.averaged.map((name) =>
    sql.raw(`sum(${name} * samples) / sum(samples), max(${name}_max)`),
  )
  await db.execute(sql`
    insert into ${series.hours} as old (key, at, samples, ${columnsOf(series)})
    select key, ${bucket(HOUR_S, sql`at`)} as hour, sum(samples), ${sql.join(figures, sql`, `)}, max(disk_max)
    from ${series.fiveMinutes} where ${within(series, from, to, nodeIds)} group by key, hour
    ${unlessFewer(series)}`)
}

const within = (
  series: Series,
  from: Date,
  to: Date,
  nodeIds: readonly string[] | undefined,
): SQL => {
  const keys = nodeIds ? sql` and key in (${series.keysOf(nodeIds)})` : sql``
  return sql`at >= ${from.toISOString()}::timestamptz and at < ${to.toISOString()}::timestamptz${keys}`
}

const namesOf = (series: Series): string[] => [
  ...series.averaged.flatMap((name) => [name, `${name}_max`]),
  'disk_max',
]
const columnsOf = (series: Series): SQL => sql.raw(namesOf(series).join(', '))

const unlessFewer = (series: Series): SQL =>
  sql`on conflict (key, at) do update set samples = excluded.samples,
    ${sql.raw(
      namesOf(series)
        .map((name) => `${name} = excluded.${name}`)
        .join(', '),
    )}
    where excluded.samples >= old.samples`

const after = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1000)
