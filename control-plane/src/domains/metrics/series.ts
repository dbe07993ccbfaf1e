import { type SQL, sql } from 'drizzle-orm'

/** A family of figures: its tables, averaged and peak columns. */
export interface Series {
  readonly raw: SQL
  readonly fiveMinutes: SQL
  readonly hours: SQL
  /** Columns with an average over the samples and a maximum in `<name>_max`. */
  readonly averaged: readonly string[]
  /** Row keys of these nodes. */
  keysOf(nodeIds: readonly string[]): SQL
}

export const serverSeries: Series = {
  raw: sql.identifier('server_samples').getSQL(),
  fiveMinutes: sql.identifier('server_rollups_5m').getSQL(),
  hours: sql.identifier('server_rollups_1h').getSQL(),
  averaged: ['cpu', 'memory', 'rx', 'tx'],
  keysOf: (nodeIds) =>
    sql`select metric_key from servers where node_id = any(${textArray(nodeIds)}::uuid[])`,
}

export const nodeSeries: Series = {
  raw: sql.identifier('node_samples').getSQL(),
  fiveMinutes: sql.identifier('node_rollups_5m').getSQL(),
  hours: sql.identifier('node_rollups_1h').getSQL(),
  averaged: ['cpu', 'memory'],
  keysOf: (nodeIds) => sql`select unnest(${textArray(nodeIds)}::uuid[])`,
}

/** PostgreSQL's text form of an array whose values need no quotes: numbers, uuids, ISO times. */
export const textArray = (values: readonly (string | number | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`

/**
 * Start of the bucket of `seconds` containing `at`; buckets count from 2001-01-01 UTC, a Monday.
 */
export const bucket = (seconds: number, at: SQL): SQL =>
  sql`date_bin(make_interval(secs => ${seconds}), ${at}, ${EPOCH}::timestamptz)`
const EPOCH = '2001-01-01T00:00:00Z'

/** The same for a `Date`. */
export const bucketStart = (seconds: number, at: Date): Date => {
  const epoch = Date.parse(EPOCH)
  const step = seconds * 1000
  return new Date(epoch + Math.floor((at.getTime() - epoch) / step) * step)
}
