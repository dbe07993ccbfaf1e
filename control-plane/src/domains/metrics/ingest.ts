import type { MetricsBatch } from '@lodge/proto/server.ts'
import type { Ctx } from '../../context.ts'
import { type Believed, nodeSampleIsSane, serverSampleIsSane, timeOf } from './samples.ts'
import { bucketStart } from './series.ts'
import {
  markLate,
  storeNodeSamples,
  storeServerSamples,
  updateNodeUsage,
  updateServerUsage,
} from './store.ts'

const FIVE_MINUTES_MS = 300_000
/** Buckets that ended longer ago than this may have been rolled up already; see rollup.ts. */
const LATE_AFTER_MS = 60_000

/**
 * Stores what an agent measured and shows the newest of it. Samples of servers that are not on the
 * node are left out, as is what cannot be true. Run it in the transaction that takes in the report,
 * which makes a repeated report count once.
 * @param options.clockAheadMs how far the node's clock was ahead of ours when it connected
 * @returns how many samples were stored and how many left out
 */
export async function ingestMetrics(
  ctx: Pick<Ctx, 'db' | 'live' | 'now'>,
  nodeId: string,
  batches: readonly MetricsBatch[],
  options: { readonly clockAheadMs?: number } = {},
): Promise<{ stored: number; dropped: number }> {
  const { db, now } = ctx
  const believe = <S extends { at: Date | undefined }>(
    samples: readonly S[],
    sane: (sample: S) => boolean,
  ) =>
    samples.flatMap((sample): Believed<S>[] => {
      const at = sane(sample) ? timeOf(sample.at, now, options.clockAheadMs ?? 0) : undefined
      return at ? [{ sample, at }] : []
    })
  const given = {
    servers: batches.flatMap((batch) => batch.servers),
    nodes: batches.flatMap((batch) => batch.nodes),
  }
  const servers = believe(given.servers, serverSampleIsSane)
  const nodes = believe(given.nodes, nodeSampleIsSane)

  const storedServers = servers.length > 0 ? await storeServerSamples(db, nodeId, servers) : 0
  const storedNodes = nodes.length > 0 ? await storeNodeSamples(db, nodeId, nodes) : 0
  const late = lateBuckets([...servers, ...nodes], now)
  if (late.length > 0) await markLate(db, nodeId, late)

  let shown = 0
  if (storedServers > 0) shown += await updateServerUsage(db, nodeId, newestOfEach(servers))
  const newest = nodes.toSorted((a, b) => a.at.getTime() - b.at.getTime()).at(-1)
  if (newest && storedNodes > 0) shown += await updateNodeUsage(db, nodeId, newest)
  if (shown > 0) await ctx.live.announce(db, { kind: 'usage', id: nodeId })

  const stored = storedServers + storedNodes
  return { stored, dropped: given.servers.length + given.nodes.length - stored }
}

function newestOfEach<S extends { serverId: string }>(
  samples: readonly Believed<S>[],
): Believed<S>[] {
  const newest = new Map<string, Believed<S>>()
  for (const one of samples) {
    const known = newest.get(one.sample.serverId)
    if (!known || known.at <= one.at) newest.set(one.sample.serverId, one)
  }
  return [...newest.values()]
}

function lateBuckets(samples: readonly Believed<unknown>[], now: Date): Date[] {
  const late = new Set<number>()
  for (const { at } of samples) {
    const start = bucketStart(FIVE_MINUTES_MS / 1000, at).getTime()
    if (start + FIVE_MINUTES_MS + LATE_AFTER_MS <= now.getTime()) late.add(start)
  }
  return [...late].map((start) => new Date(start))
}
