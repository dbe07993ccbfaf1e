import type { MetricsBatch, NodeSample, ServerSample } from '@lodge/proto/server.ts'
import type { Ctx } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { type Placed, PlacedServers } from './placed-servers.ts'
import { nodeSampleIsSane, serverSampleIsSane, timeOf } from './samples.ts'
import { bucketStart } from './series.ts'
import * as store from './store.ts'

const FIVE_MINUTES_MS = 300_000
/** Buckets that ended earlier than this may have been rolled up already; see rollup.ts. */
const LATE_AFTER_MS = 60_000
/** Maximum age of the figures in lists; open panels receive every sample in addition. */
const SHOWN_EVERY_MS = 14_000

/** One agent's measurements. */
export interface NodeFigures {
  readonly nodeId: string
  readonly batches: readonly MetricsBatch[]
  /** How far the node's clock was ahead of ours when it connected. */
  readonly clockAheadMs?: number
}

/** What was stored, and the newest samples, to be shown after the commit. */
export interface Stored {
  readonly stored: number
  /** Samples of servers not on the node, and implausible ones. */
  readonly dropped: number
  readonly servers: readonly store.StoredSample[]
  readonly nodes: readonly store.StoredNodeSample[]
}

/**
 * Stores measurements of many agents at once. Run `store` in the transaction that applies their
 * reports, so a repeated report counts once, and `show` after it: displayed figures are replaced
 * within seconds, so they justify neither that transaction's locks nor its rollback.
 */
export function createIntake(ctx: Pick<Ctx, 'live'>) {
  const placed = new PlacedServers()
  return {
    async store(db: Db, received: readonly NodeFigures[], now: Date): Promise<Stored> {
      await placed.learn(
        db,
        received.map((one) => [one.nodeId, serverIdsOf(one)] as const),
      )
      const servers: store.StoredSample[] = []
      const nodes: store.StoredNodeSample[] = []
      const late: { nodeId: string; at: Date }[] = []
      let given = 0
      for (const one of received) {
        const times: number[] = []
        for (const batch of one.batches) {
          given += batch.servers.length + batch.nodes.length
          takeServers(placed, one, batch.servers, now, servers, times)
          takeNodes(one, batch.nodes, now, nodes, times)
        }
        for (const at of lateBuckets(times, now.getTime())) late.push({ nodeId: one.nodeId, at })
      }
      if (servers.length > 0) await store.storeServerSamples(db, servers)
      const storedNodes = nodes.length > 0 ? await store.storeNodeSamples(db, nodes) : 0
      if (late.length > 0) await store.markLate(db, late)
      const stored = servers.length + storedNodes
      if (stored > 0) await ctx.live.announceAll(db, 'usage', nodesWith(received, servers, nodes))
      return { stored, dropped: given - stored, servers, nodes }
    },

    /** Shows the newest figures of each server and node, unless newer ones are shown already. */
    async show(db: Db, { servers, nodes }: Stored): Promise<void> {
      const due = newestOf(servers, ({ placed }) => placed.key).filter(
        ({ placed, atMs }) => atMs - placed.shownMs >= SHOWN_EVERY_MS,
      )
      if (due.length > 0) {
        await store.showServerUsage(db, due)
        for (const { placed, atMs } of due) placed.shownMs = atMs
      }
      const newest = newestOf(nodes, ({ nodeId }) => nodeId)
      if (newest.length > 0) await store.showNodeUsage(db, newest)
    },
  }
}
export type Intake = ReturnType<typeof createIntake>

function* serverIdsOf({ batches }: NodeFigures): Iterable<string> {
  for (const { servers } of batches) for (const { serverId } of servers) yield serverId
}

function takeServers(
  placed: PlacedServers,
  { nodeId, clockAheadMs = 0 }: NodeFigures,
  samples: readonly ServerSample[],
  now: Date,
  taken: store.StoredSample[],
  times: number[],
): void {
  for (const sample of samples) {
    const server: Placed | undefined = placed.find(nodeId, sample.serverId)
    if (!server || !serverSampleIsSane(sample)) continue
    const atMs = timeOf(sample.at, now, clockAheadMs)
    if (atMs === undefined) continue
    taken.push({ placed: server, nodeId, sample, atMs })
    times.push(atMs)
  }
}

function takeNodes(
  { nodeId, clockAheadMs = 0 }: NodeFigures,
  samples: readonly NodeSample[],
  now: Date,
  taken: store.StoredNodeSample[],
  times: number[],
): void {
  for (const sample of samples) {
    const atMs = nodeSampleIsSane(sample) ? timeOf(sample.at, now, clockAheadMs) : undefined
    if (atMs === undefined) continue
    taken.push({ nodeId, sample, atMs })
    times.push(atMs)
  }
}

function newestOf<S extends { readonly atMs: number }>(
  samples: readonly S[],
  keyOf: (sample: S) => unknown,
): S[] {
  const newest = new Map<unknown, S>()
  for (const one of samples) {
    const known = newest.get(keyOf(one))
    if (!known || known.atMs <= one.atMs) newest.set(keyOf(one), one)
  }
  return [...newest.values()]
}

function nodesWith(
  received: readonly NodeFigures[],
  ...taken: readonly (readonly { nodeId: string }[])[]
): string[] {
  const ids = new Set(taken.flat().map(({ nodeId }) => nodeId))
  return received.map(({ nodeId }) => nodeId).filter((id) => ids.has(id))
}

function lateBuckets(times: readonly number[], nowMs: number): Date[] {
  const late = new Set<number>()
  for (const atMs of times) {
    if (atMs + LATE_AFTER_MS > nowMs) continue
    const start = bucketStart(FIVE_MINUTES_MS / 1000, new Date(atMs)).getTime()
    if (start + FIVE_MINUTES_MS + LATE_AFTER_MS <= nowMs) late.add(start)
  }
  return [...late].map((start) => new Date(start))
}
