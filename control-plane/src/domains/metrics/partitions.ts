import { METRICS_DAYS } from '@lodge/shared/metrics-time.ts'
import { sql } from 'drizzle-orm'
import { lock } from '../../db/advisory-locks.ts'
import type { Db } from '../../db/database.ts'
import { bucketStart } from './series.ts'

const DAY_SECONDS = 86_400

interface Partitioned {
  readonly table: string
  readonly spanDays: number
  readonly keepDays: number
  /** Samples are not in the write-ahead log: after a PostgreSQL crash only the rollups remain. */
  readonly unlogged: boolean
}

const PARTITIONED: readonly Partitioned[] = ['server', 'node'].flatMap((family) => [
  { table: `${family}_samples`, spanDays: 1, keepDays: 1, unlogged: true },
  { table: `${family}_rollups_5m`, spanDays: 1, keepDays: 8, unlogged: false },
  { table: `${family}_rollups_1h`, spanDays: 7, keepDays: METRICS_DAYS, unlogged: false },
])
const AHEAD_DAYS = 2
/**
 * A lock not acquired within this time is left to the next run, because ingestion would queue
 * behind it.
 */
const LOCK_TIMEOUT = '2s'

/**
 * Creates the partitions from yesterday to the day after tomorrow and drops expired ones. Must have
 * run once before samples arrive; may run on many instances.
 */
export async function keepPartitions(
  db: Db,
  now: Date,
): Promise<{ made: number; dropped: number }> {
  let made = 0
  let dropped = 0
  for (const one of PARTITIONED) {
    const present = await presentPartitions(db, one.table)
    for (const from of wanted(one, now)) {
      if (!present.includes(nameOf(one.table, from))) made += await make(db, one, from)
    }
    const oldest = now.getTime() - one.keepDays * DAY_SECONDS * 1000
    for (const name of present) {
      const from = startOf(name)
      if (from === undefined || later(from, one.spanDays).getTime() > oldest) continue
      const { rows } = await locked(db, (tx) =>
        tx.execute<Done>(sql`select drop_metrics_partition(${one.table}, ${name}) as done`),
      )
      if (rows[0]?.done) dropped++
    }
  }
  return { made, dropped }
}

function wanted({ spanDays }: Partitioned, now: Date): Date[] {
  const last = later(now, AHEAD_DAYS)
  const starts: Date[] = []
  let from = bucketStart(spanDays * DAY_SECONDS, later(now, -1))
  for (; from <= last; from = later(from, spanDays)) starts.push(from)
  return starts
}

type Done = { done: boolean }

/**
 * Creates a partition through a database function, as the owner of the tables.
 * @returns 1 if created, else 0
 */
async function make(db: Db, one: Partitioned, from: Date): Promise<number> {
  const name = nameOf(one.table, from)
  const ends = later(from, one.spanDays)
  const { rows } = await locked(db, (tx) =>
    tx.execute<Done>(sql`select make_metrics_partition(
      ${one.table}, ${name}, ${from.toISOString()}, ${ends.toISOString()}, ${one.unlogged}) as done`),
  )
  return rows[0]?.done ? 1 : 0
}

/** Runs on one instance at a time. */
const locked = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await tx.execute(sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`))
    await lock(tx, 'metricsPartitions')
    return work(tx)
  })

async function presentPartitions(db: Db, table: string): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass`)
  return rows.map((row) => row.name)
}

const later = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY_SECONDS * 1000)
const nameOf = (table: string, from: Date): string =>
  `${table}_${from.toISOString().slice(0, 10).replaceAll('-', '')}`

function startOf(name: string): Date | undefined {
  const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
  return year ? new Date(`${year}-${month}-${day}T00:00:00Z`) : undefined
}
