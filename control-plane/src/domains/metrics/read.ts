import type { ServerMetrics } from '@lodge/shared/servers.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import type { ServerRow } from '../servers/tables.ts'
import { bucket, bucketStart, serverSeries } from './series.ts'

export type Range = ServerMetrics['range']

/** How far a range goes back and how wide its points are; never more than 400 points. */
export const RANGES = {
  hour: { seconds: 3600, stepSeconds: 15 },
  day: { seconds: 86_400, stepSeconds: 300 },
  week: { seconds: 7 * 86_400, stepSeconds: 3600 },
  quarter: { seconds: 90 * 86_400, stepSeconds: 21_600 },
} as const satisfies Record<Range, { seconds: number; stepSeconds: number }>

/**
 * History of a server up to now. Times without figures have no point: a gap stays a gap. What has not
 * been rolled up yet is taken from the samples, so that every range reaches up to the present.
 */
export async function readMetrics(
  db: Db,
  server: Pick<ServerRow, 'metricKey' | 'memoryMb' | 'cpuPercent' | 'diskMb'>,
  range: Range,
  now: Date,
): Promise<ServerMetrics> {
  const { seconds, stepSeconds } = RANGES[range]
  const from = bucketStart(stepSeconds, new Date(now.getTime() - seconds * 1000))
  const start = sql`${from.toISOString()}::timestamptz`
  const key = server.metricKey
  const source = { hour: samples, day: fiveMinutes, week: hours, quarter: hours }[range](
    key,
    start,
    stepSeconds,
  )
  const { rows } = await db.execute<Point>(sql`
    select extract(epoch from ${bucket(stepSeconds, sql`at`)})::float8 * 1000 as bin,
      sum(cpu * samples) / sum(samples) as cpu, sum(memory * samples) / sum(samples) as memory,
      sum(rx * samples) / sum(samples) as rx, sum(tx * samples) / sum(samples) as tx, max(disk_max) as disk
    from (${source}) as source group by bin order by bin`)
  return {
    range,
    stepSeconds,
    memoryLimitMb: server.memoryMb,
    cpuLimitPercent: server.cpuPercent,
    diskLimitMb: server.diskMb,
    points: rows.map((row) => ({
      at: new Date(row.bin).toISOString(),
      cpuPercent: hundredths(row.cpu),
      memoryBytes: Math.round(row.memory),
      networkRxBytesPerSecond: hundredths(row.rx),
      networkTxBytesPerSecond: hundredths(row.tx),
      diskBytes: row.disk,
    })),
  }
}

type Point = Record<'bin' | 'cpu' | 'memory' | 'rx' | 'tx', number> & { disk: number | null }

const hundredths = (value: number): number => Math.round(value * 100) / 100

const samples = (key: number, from: SQL, stepSeconds: number): SQL => sql`
  select ${bucket(stepSeconds, sql`at`)} as at, count(*) as samples, avg(cpu) as cpu, avg(memory)::float8 as memory,
    avg(rx) as rx, avg(tx) as tx, max(disk)::float8 as disk_max
  from ${serverSeries.raw} where key = ${key} and at >= ${from} group by 1`

const ROLLED = sql`coalesce((select through from metrics_progress), '-infinity')`
const ROLLED_HOURS = sql`coalesce((select date_trunc('hour', through, 'UTC') from metrics_progress), '-infinity')`
const FIGURES = sql`at, samples, cpu, memory, rx, tx, disk_max`

const fiveMinutes = (key: number, from: SQL): SQL => sql`
  select ${FIGURES} from ${serverSeries.fiveMinutes} where key = ${key} and at >= ${from} and at < ${ROLLED}
  union all (${samples(key, sql`greatest(${from}, ${ROLLED})`, 300)})`

const hours = (key: number, from: SQL): SQL => sql`
  select ${FIGURES} from ${serverSeries.hours} where key = ${key} and at >= ${from} and at < ${ROLLED_HOURS}
  union all (${fiveMinutes(key, sql`greatest(${from}, ${ROLLED_HOURS})`)})`
