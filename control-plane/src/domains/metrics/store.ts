import type { NodeSample, ServerSample } from '@lodge/proto/server.ts'
import type { Node } from '@lodge/shared/nodes.ts'
import type { KnownPlayers } from '@lodge/shared/players.ts'
import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import type { Placed } from './placed-servers.ts'
import { playersOf } from './samples.ts'
import { textArray } from './series.ts'

/** A plausible sample with its server's key and its time (ms since 1970). */
export interface StoredSample {
  readonly placed: Placed
  readonly nodeId: string
  readonly sample: ServerSample
  readonly atMs: number
}
export interface StoredNodeSample {
  readonly nodeId: string
  readonly sample: NodeSample
  readonly atMs: number
}

/** The columns of many samples as arrays, so that any number of them is one statement. */
function columns(samples: readonly StoredSample[]) {
  const array = (value: (one: StoredSample) => number | undefined): string => {
    let text = ''
    for (const one of samples) text += `${text === '' ? '{' : ','}${value(one) ?? 'NULL'}`
    return `${text}}`
  }
  return sql`
    select g.key, to_timestamp(g.at / 1000), g.cpu, g.memory, g.rx, g.tx, g.disk
    from unnest(${array(({ placed }) => placed.key)}::int[], ${array(({ atMs }) => atMs)}::float8[],
      ${array(({ sample }) => sample.cpuPercent)}::float8[],
      ${array(({ sample }) => sample.memoryBytes)}::bigint[],
      ${array(({ sample }) => sample.networkRxBytesPerSecond)}::float8[],
      ${array(({ sample }) => sample.networkTxBytesPerSecond)}::float8[],
      ${array(({ sample }) => sample.diskBytes)}::bigint[]) as g(key, at, cpu, memory, rx, tx, disk)`
}

export async function storeServerSamples(db: Db, samples: readonly StoredSample[]): Promise<void> {
  await db.execute(
    sql`insert into server_samples (key, at, cpu, memory, rx, tx, disk) ${columns(samples)}`,
  )
}

/** @param newest one sample per server */
export async function showServerUsage(db: Db, newest: readonly StoredSample[]): Promise<void> {
  // In key order, so that concurrent writers cannot deadlock.
  const ordered = newest.toSorted((a, b) => a.placed.key - b.placed.key)
  const ofNode = ordered.flatMap(({ placed, sample }) => (sample.memoryOfNode ? placed.key : []))
  const players = ordered.flatMap(({ placed, sample, atMs }) => {
    const known = playersOf(sample.players, atMs)
    return known ? [[placed.key, known] as const] : []
  })
  await db.execute(sql`
    insert into server_usage as shown (key, at, cpu, memory, rx, tx, disk, memory_of_node, players)
    select given.*, given.key = any(${`{${ofNode.join(',')}}`}::int[]),
      ${JSON.stringify(Object.fromEntries(players))}::jsonb -> given.key::text
    from (${columns(ordered)}) as given(key, at, cpu, memory, rx, tx, disk)
    on conflict (key) do update set at = excluded.at, cpu = excluded.cpu, memory = excluded.memory,
      rx = excluded.rx, tx = excluded.tx, disk = excluded.disk,
      memory_of_node = excluded.memory_of_node, players = coalesce(excluded.players, shown.players)
    where shown.at < excluded.at`)
}

/** Whether a server supports player queries, and its last report. */
export async function findPlayers(
  db: Db,
  serverId: string,
): Promise<{ readonly asked: boolean; readonly players: KnownPlayers | null }> {
  const { rows } = await db.execute<{ asked: boolean; players: KnownPlayers | null }>(sql`
    select s.desired_spec ? 'query' as asked, u.players
    from servers s left join server_usage u on u.key = s.metric_key where s.id = ${serverId}`)
  return rows[0] ?? { asked: false, players: null }
}

/**
 * Figures of removed servers.
 * @returns how many
 */
export async function sweepServerUsage(db: Db): Promise<number> {
  const { rows } = await db.execute<{ key: number }>(sql`
    delete from server_usage u
    where not exists (select from servers s where s.metric_key = u.key) returning u.key`)
  return rows.length
}

const array = (samples: readonly StoredNodeSample[], value: (one: StoredNodeSample) => number) =>
  textArray(samples.map(value))

/** @returns how many were stored: those of existing nodes */
export async function storeNodeSamples(
  db: Db,
  samples: readonly StoredNodeSample[],
): Promise<number> {
  const { rows } = await db.execute<{ stored: number }>(sql`
    insert into node_samples (key, at, cpu, memory, disk)
    select n.id, to_timestamp(g.at / 1000), g.cpu, g.memory, g.disk
    from unnest(${textArray(samples.map(({ nodeId }) => nodeId))}::uuid[],
        ${array(samples, ({ atMs }) => atMs)}::float8[],
        ${array(samples, ({ sample }) => sample.cpuPercent)}::float8[],
        ${array(samples, ({ sample }) => sample.memoryUsedBytes)}::bigint[],
        ${array(samples, ({ sample }) => sample.diskUsedBytes)}::bigint[])
      as g(id, at, cpu, memory, disk) join nodes n on n.id = g.id returning 1 as stored`)
  return rows.length
}

const usageOf = ({ sample, atMs }: StoredNodeSample) =>
  ({
    at: new Date(atMs).toISOString(),
    cpuPercent: sample.cpuPercent,
    cpuCores: sample.cpuCores,
    memoryTotalBytes: sample.memoryTotalBytes,
    memoryUsedBytes: sample.memoryUsedBytes,
    diskTotalBytes: sample.diskTotalBytes,
    diskUsedBytes: sample.diskUsedBytes,
  }) satisfies NonNullable<Node['usage']>

/**
 * Skips locked rows, so figures neither wait for nor deadlock with anything: the next ones come in
 * seconds.
 * @param newest one sample per node
 */
export async function showNodeUsage(db: Db, newest: readonly StoredNodeSample[]): Promise<void> {
  const given = newest.map((one) => ({ id: one.nodeId, usage: usageOf(one) }))
  await db.execute(sql`
    with given as materialized (
      select n.id, g.usage from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g(id uuid, usage jsonb)
        join nodes n on n.id = g.id
      where n.usage is null or (n.usage->>'at')::timestamptz < (g.usage->>'at')::timestamptz
      for no key update of n skip locked)
    update nodes set usage = given.usage from given where nodes.id = given.id`)
}

/** Marks these five-minute buckets of the nodes to be rolled up again. */
export async function markLate(
  db: Db,
  buckets: readonly { readonly nodeId: string; readonly at: Date }[],
): Promise<void> {
  await db.execute(sql`
    insert into metrics_late (node_id, at)
    select * from unnest(${textArray(buckets.map(({ nodeId }) => nodeId))}::uuid[],
      ${textArray(buckets.map(({ at }) => at.toISOString()))}::timestamptz[])`)
}
