import type { NodeSample, ServerSample } from '@lodge/proto/server.ts'
import type { Node } from '@lodge/shared/nodes.ts'
import { sql } from 'drizzle-orm'
import { bigint, integer, pgTable, real, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/database.ts'
import { nodes } from '../nodes/tables.ts'
import { servers } from '../servers/tables.ts'
import type { Believed } from './samples.ts'
import { textArray } from './series.ts'

// Only for inserting: the tables themselves are partitioned and made by a migration of their own.
const serverSamples = pgTable('server_samples', {
  key: integer('key').notNull(),
  at: timestamp('at', { withTimezone: true }).notNull(),
  cpu: real('cpu').notNull(),
  memory: bigint('memory', { mode: 'number' }).notNull(),
  rx: real('rx').notNull(),
  tx: real('tx').notNull(),
  disk: bigint('disk', { mode: 'number' }),
})

const nodeSamples = pgTable('node_samples', {
  key: uuid('key').notNull(),
  at: timestamp('at', { withTimezone: true }).notNull(),
  cpu: real('cpu').notNull(),
  memory: bigint('memory', { mode: 'number' }).notNull(),
  disk: bigint('disk', { mode: 'number' }),
})

const given = sql.placeholder

/** The columns of many samples, each as one array, so that any number of them is one statement. */
function columns(samples: readonly Believed<ServerSample>[]) {
  return {
    ids: textArray(samples.map(({ sample }) => sample.serverId)),
    ats: textArray(samples.map(({ at }) => at.toISOString())),
    cpu: textArray(samples.map(({ sample }) => sample.cpuPercent)),
    memory: textArray(samples.map(({ sample }) => sample.memoryBytes)),
    rx: textArray(samples.map(({ sample }) => sample.networkRxBytesPerSecond)),
    tx: textArray(samples.map(({ sample }) => sample.networkTxBytesPerSecond)),
    disk: textArray(samples.map(({ sample }) => sample.diskBytes ?? null)),
  }
}

const unnested = sql`unnest(${given('ids')}::uuid[], ${given('ats')}::timestamptz[], ${given('cpu')}::float8[],
  ${given('memory')}::bigint[], ${given('rx')}::float8[], ${given('tx')}::float8[], ${given('disk')}::bigint[])
  as g(id, at, cpu, memory, rx, tx, disk)`

/** @returns how many were of servers on this node; the others are not stored */
export async function storeServerSamples(
  db: Db,
  nodeId: string,
  samples: readonly Believed<ServerSample>[],
): Promise<number> {
  const { rowCount } = await db
    .insert(serverSamples)
    .select(
      () => sql`select s.metric_key, g.at, g.cpu, g.memory, g.rx, g.tx, g.disk
      from ${unnested} join servers s on s.id = g.id and s.node_id = ${given('nodeId')}`,
    )
    .prepare('metrics_store_samples')
    .execute({ nodeId, ...columns(samples) })
  return rowCount ?? 0
}

const ISO = sql.raw(`'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`)

/**
 * Shows the newest figures unless newer ones are shown already. Rows that somebody changes at this
 * moment are passed over, so that figures never wait for, nor deadlock with, anything else: the
 * next ones come in seconds.
 * @param newest one sample per server
 * @returns how many servers show new figures
 */
export async function updateServerUsage(
  db: Db,
  nodeId: string,
  newest: readonly Believed<ServerSample>[],
): Promise<number> {
  const shown = sql`(
    select s.id, jsonb_build_object(
      'at', to_char(g.at at time zone 'utc', ${ISO}), 'cpuPercent', g.cpu, 'memoryBytes', g.memory,
      'diskBytes', g.disk, 'networkRxBytesPerSecond', g.rx, 'networkTxBytesPerSecond', g.tx) as usage
    from ${unnested} join servers s on s.id = g.id and s.node_id = ${given('nodeId')}
    where s.usage is null or (s.usage->>'at')::timestamptz < g.at
    for no key update of s skip locked) as shown`
  const { rowCount } = await db
    .update(servers)
    .set({ usage: sql`shown.usage` })
    .from(shown)
    .where(sql`${servers.id} = shown.id`)
    .prepare('metrics_show_server_usage')
    .execute({ nodeId, ...columns(newest) })
  return rowCount ?? 0
}

/** @returns how many were stored: none when there is no such node */
export async function storeNodeSamples(
  db: Db,
  nodeId: string,
  samples: readonly Believed<NodeSample>[],
): Promise<number> {
  const { rowCount } = await db
    .insert(nodeSamples)
    .select(
      () => sql`select n.id, g.* from nodes n, unnest(${given('ats')}::timestamptz[],
        ${given('cpu')}::float8[], ${given('memory')}::bigint[], ${given('disk')}::bigint[]) as g
      where n.id = ${given('nodeId')}`,
    )
    .prepare('metrics_store_node_samples')
    .execute({
      nodeId,
      ats: textArray(samples.map(({ at }) => at.toISOString())),
      cpu: textArray(samples.map(({ sample }) => sample.cpuPercent)),
      memory: textArray(samples.map(({ sample }) => sample.memoryUsedBytes)),
      disk: textArray(samples.map(({ sample }) => sample.diskUsedBytes)),
    })
  return rowCount ?? 0
}

/** Shows a node's newest figures unless newer ones are shown already; returns how many nodes changed. */
export async function updateNodeUsage(
  db: Db,
  nodeId: string,
  { sample, at }: Believed<NodeSample>,
): Promise<number> {
  const usage = {
    at: at.toISOString(),
    cpuPercent: sample.cpuPercent,
    cpuCores: sample.cpuCores,
    memoryTotalBytes: sample.memoryTotalBytes,
    memoryUsedBytes: sample.memoryUsedBytes,
    diskTotalBytes: sample.diskTotalBytes,
    diskUsedBytes: sample.diskUsedBytes,
  } satisfies NonNullable<Node['usage']>
  const shown = sql`(${nodes.usage}->>'at')::timestamptz`
  const { rowCount } = await db
    .update(nodes)
    .set({ usage: sql`${given('usage')}::jsonb` })
    .where(
      sql`${nodes.id} = ${given('nodeId')}
        and (${nodes.usage} is null or ${shown} < ${given('at')}::timestamptz)`,
    )
    .prepare('metrics_show_node_usage')
    .execute({ nodeId, at: at.toISOString(), usage: JSON.stringify(usage) })
  return rowCount ?? 0
}

/** Remembers that these five-minute buckets of the node have to be rolled up again. */
export async function markLate(db: Db, nodeId: string, buckets: readonly Date[]): Promise<void> {
  await db.execute(sql`
    insert into metrics_late (node_id, at)
    select ${nodeId}, unnest(${textArray(buckets.map((at) => at.toISOString()))}::timestamptz[])`)
}
