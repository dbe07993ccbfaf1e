import { metricsTime, type ServerMetrics } from '@lodge/shared/servers.ts'
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import type { ServerRow } from '../servers/tables.ts'
import { emptyTimes, explained } from './gaps.ts'
import { bucket, bucketStart, nodeSeries, type Series, serverSeries } from './series.ts'
import type { Window } from './window.ts'

interface Charted
  extends Pick<ServerRow, 'id' | 'metricKey' | 'nodeId' | 'memoryMb' | 'cpuPercent' | 'diskMb'> {
  /** ISO 8601. */
  readonly createdAt: string
}

/**
 * History of a server. Times without figures have no point and a gap with its reason. What has not
 * been rolled up yet comes from the samples, so every range reaches the present.
 */
export async function readMetrics(db: Db, server: Charted, window: Window): Promise<ServerMetrics> {
  const rows = await readPoints(db, serverSeries, sql`${server.metricKey}`, window)
  const empty = emptyTimes(
    rows.map(({ bin }) => bin),
    window,
  )
  const existing = { id: server.id, createdAt: new Date(server.createdAt) }
  const nodeBins = async () =>
    (await readPoints(db, nodeSeries, sql`${server.nodeId}::uuid`, window)).map(({ bin }) => bin)
  return {
    ...timeOf(window),
    gaps: empty.length === 0 ? [] : await explained(db, existing, empty, window, await nodeBins()),
    memoryLimitMb: server.memoryMb,
    cpuLimitPercent: server.cpuPercent,
    diskLimitMb: server.diskMb,
    points: rows.map((row) => ({
      ...figuresOf(row),
      networkRxBytesPerSecond: hundredths(row.rx ?? 0),
      networkRxBytesPerSecondMax: hundredths(row.rx_max ?? 0),
      networkTxBytesPerSecond: hundredths(row.tx ?? 0),
      networkTxBytesPerSecondMax: hundredths(row.tx_max ?? 0),
    })),
  }
}

/** History of a node's machine; 100 % CPU is one core. */
export const NodeMetrics = z.object({
  ...metricsTime,
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

/** The same for a node: without figures it was offline, or had not joined yet. */
export async function readNodeMetrics(
  db: Db,
  node: { readonly id: string; readonly createdAt: Date },
  window: Window,
): Promise<NodeMetrics> {
  const rows = await readPoints(db, nodeSeries, sql`${node.id}::uuid`, window)
  const empty = emptyTimes(
    rows.map(({ bin }) => bin),
    window,
  )
  const gaps = empty.map(({ from, to }) => ({
    from: from.toISOString(),
    to: to.toISOString(),
    reason: to <= node.createdAt ? ('not_created' as const) : ('node_offline' as const),
  }))
  return { ...timeOf(window), gaps, points: rows.map(figuresOf) }
}

const timeOf = ({ range, from, to, stepSeconds }: Window) => ({
  range,
  from: from.toISOString(),
  to: to.toISOString(),
  stepSeconds,
})

type Figures = Record<'bin' | 'cpu' | 'cpu_max' | 'memory' | 'memory_max', number> & {
  disk_max: number | null
  /** Servers only. */
  rx?: number
  rx_max?: number
  tx?: number
  tx_max?: number
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
  { from, to, stepSeconds }: Window,
): Promise<Figures[]> {
  const within: Within = {
    key,
    from: momentOf(bucketStart(stepSeconds, from)),
    to: momentOf(to),
  }
  const read = stepSeconds < 300 ? samples : stepSeconds < 3600 ? fiveMinutes : hours
  const figures = series.averaged.map((name) =>
    sql.raw(`sum(${name} * samples) / sum(samples) as ${name}, max(${name}_max) as ${name}_max`),
  )
  const { rows } = await db.execute<Figures>(sql`
    select extract(epoch from ${bucket(stepSeconds, sql`at`)})::float8 * 1000 as bin,
      ${sql.join(figures, sql`, `)}, max(disk_max) as disk_max
    from (${read(series, within, stepSeconds)}) as source group by bin order by bin`)
  return rows
}

/** The rows of one key in a time. */
interface Within {
  readonly key: SQL
  readonly from: SQL
  readonly to: SQL
}

const momentOf = (at: Date): SQL => sql`${at.toISOString()}::timestamptz`

const samples = (series: Series, { key, from, to }: Within, stepSeconds: number): SQL => {
  const figures = series.averaged.map((name) =>
    sql.raw(`avg(${name})::float8 as ${name}, max(${name})::float8 as ${name}_max`),
  )
  return sql`
    select ${bucket(stepSeconds, sql`at`)} as at, count(*) as samples, ${sql.join(figures, sql`, `)},
      max(disk)::float8 as disk_max
    from ${series.raw} where key = ${key} and at >= ${from} and at <= ${to} group by 1`
}

const ROLLED = sql`coalesce((select through from metrics_progress), '-infinity')`
const ROLLED_HOURS = sql`coalesce((select date_trunc('hour', through, 'UTC') from metrics_progress), '-infinity')`

const columns = (series: Series): SQL => {
  const figures = series.averaged.map((name) => `${name}, ${name}_max`)
  return sql.raw(`at, samples, ${figures.join(', ')}, disk_max`)
}

const fiveMinutes = (series: Series, { key, from, to }: Within): SQL => sql`
  select ${columns(series)} from ${series.fiveMinutes}
  where key = ${key} and at >= ${from} and at <= ${to} and at < ${ROLLED}
  union all (${samples(series, { key, from: sql`greatest(${from}, ${ROLLED})`, to }, 300)})`

const hours = (series: Series, { key, from, to }: Within): SQL => sql`
  select ${columns(series)} from ${series.hours}
  where key = ${key} and at >= ${from} and at <= ${to} and at < ${ROLLED_HOURS}
  union all (${fiveMinutes(series, { key, from: sql`greatest(${from}, ${ROLLED_HOURS})`, to })})`
