import type { ServerMetrics } from '@lodge/shared/servers.ts'
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import type { ServerRow } from '../servers/tables.ts'
import { bucket, bucketStart, nodeSeries, type Series, serverSeries } from './series.ts'

export type Range = ServerMetrics['range']

/** Length and resolution of each range; never more than 400 points. */
export const RANGES = {
  hour: { seconds: 3600, stepSeconds: 15 },
  day: { seconds: 86_400, stepSeconds: 300 },
  week: { seconds: 7 * 86_400, stepSeconds: 3600 },
  quarter: { seconds: 90 * 86_400, stepSeconds: 21_600 },
} as const satisfies Record<Range, { seconds: number; stepSeconds: number }>

/**
 * History of a server up to now. Times without figures have no point, so gaps stay visible. What
 * has not been rolled up yet comes from the samples, so every range reaches the present.
 */
export async function readMetrics(
  db: Db,
  server: Pick<ServerRow, 'metricKey' | 'memoryMb' | 'cpuPercent' | 'diskMb'>,
  range: Range,
  now: Date,
): Promise<ServerMetrics> {
  const rows = await readPoints(db, serverSeries, sql`${server.metricKey}`, range, now)
  return {
    range,
    stepSeconds: RANGES[range].stepSeconds,
    memoryLimitMb: server.memoryMb,
    cpuLimitPercent: server.cpuPercent,
    diskLimitMb: server.diskMb,
    points: rows.map((row) => ({
      ...figuresOf(row),
      networkRxBytesPerSecond: hundredths(row.rx ?? 0),
      networkTxBytesPerSecond: hundredths(row.tx ?? 0),
    })),
  }
}

/** History of a node's machine; 100 % CPU is one core. */
export const NodeMetrics = z.object({
  range: z.enum(['hour', 'day', 'week', 'quarter']),
  stepSeconds: z.int(),
  points: z.array(
    z.object({
      at: z.iso.datetime(),
      cpuPercent: z.number(),
      cpuPercentMax: z.number(),
      memoryBytes: z.number(),
      memoryBytesMax: z.number(),
      diskBytes: z.number().nullable(),
    }),
  ),
})
export type NodeMetrics = z.infer<typeof NodeMetrics>

/** The same for a node. */
export async function readNodeMetrics(
  db: Db,
  nodeId: string,
  range: Range,
  now: Date,
): Promise<NodeMetrics> {
  const rows = await readPoints(db, nodeSeries, sql`${nodeId}::uuid`, range, now)
  return { range, stepSeconds: RANGES[range].stepSeconds, points: rows.map(figuresOf) }
}

type Figures = Record<'bin' | 'cpu' | 'cpu_max' | 'memory' | 'memory_max', number> & {
  disk_max: number | null
  /** Servers only. */
  rx?: number
  tx?: number
}

const hundredths = (value: number): number => Math.round(value * 100) / 100

const figuresOf = (row: Figures) => ({
  at: new Date(row.bin).toISOString(),
  cpuPercent: hundredths(row.cpu),
  cpuPercentMax: hundredths(row.cpu_max),
  memoryBytes: Math.round(row.memory),
  memoryBytesMax: Math.round(row.memory_max),
  diskBytes: row.disk_max,
})

async function readPoints(
  db: Db,
  series: Series,
  key: SQL,
  range: Range,
  now: Date,
): Promise<Figures[]> {
  const { seconds, stepSeconds } = RANGES[range]
  const from = bucketStart(stepSeconds, new Date(now.getTime() - seconds * 1000))
  const start = sql`${from.toISOString()}::timestamptz`
  const read = { hour: samples, day: fiveMinutes, week: hours, quarter: hours }[range]
  const figures = series.averaged.map((name) =>
    sql.raw(`sum(${name} * samples) / sum(samples) as ${name}, max(${name}_max) as ${name}_max`),
  )
  const { rows } = await db.execute<Figures>(sql`
    select extract(epoch from ${bucket(stepSeconds, sql`at`)})::float8 * 1000 as bin,
      ${sql.join(figures, sql`, `)}, max(disk_max) as disk_max
    from (${read(series, key, start, stepSeconds)}) as source group by bin order by bin`)
  return rows
}

const samples = (series: Series, key: SQL, from: SQL, stepSeconds: number): SQL => {
  const figures = series.averaged.map((name) =>
    sql.raw(`avg(${name})::float8 as ${name}, max(${name})::float8 as ${name}_max`),
  )
  return sql`
    select ${bucket(stepSeconds, sql`at`)} as at, count(*) as samples, ${sql.join(figures, sql`, `)},
      max(disk)::float8 as disk_max
    from ${series.raw} where key = ${key} and at >= ${from} group by 1`
}

const ROLLED = sql`coalesce((select through from metrics_progress), '-infinity')`
const ROLLED_HOURS = sql`coalesce((select date_trunc('hour', through, 'UTC') from metrics_progress), '-infinity')`

const columns = (series: Series): SQL => {
  const figures = series.averaged.map((name) => `${name}, ${name}_max`)
  return sql.raw(`at, samples, ${figures.join(', ')}, disk_max`)
}

const fiveMinutes = (series: Series, key: SQL, from: SQL): SQL => sql`
  select ${columns(series)} from ${series.fiveMinutes}
  where key = ${key} and at >= ${from} and at < ${ROLLED}
  union all (${samples(series, key, sql`greatest(${from}, ${ROLLED})`, 300)})`

const hours = (series: Series, key: SQL, from: SQL): SQL => sql`
  select ${columns(series)} from ${series.hours}
  where key = ${key} and at >= ${from} and at < ${ROLLED_HOURS}
  union all (${fiveMinutes(series, key, sql`greatest(${from}, ${ROLLED_HOURS})`)})`
