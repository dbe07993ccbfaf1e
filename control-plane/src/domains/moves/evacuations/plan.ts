import type { PlannedMove } from '@lodge/shared/evacuations.ts'
import type { Ctx } from '../../../context.ts'
import { keptHereOnly } from '../../backups/index.ts'
import { type Closed, closedNodes, joinedNodes, type NodeRow } from '../../nodes/index.ts'
import { findServer, findViews, type ServerRow, type ServerView } from '../../servers/index.ts'
import { migrationTargets, whyNotChangeable } from '../../vms/index.ts'
import { whyNotMovable } from '../movable.ts'
import { findMove } from '../store.ts'
import {
  estimateFor,
  estimateForMachine,
  freeOn,
  hasRoom,
  leftByMoves,
  outsideLimits,
  whyNotTo,
} from '../targets.ts'
import { firstAway } from './away.ts'

/** A node, less the capacity that servers before it in the plan will take there. */
type Candidate = NodeRow
type Fit = Pick<PlannedMove, 'target' | 'why'> & {
  /** Nodes that could take it if they were connected, the best first. */
  readonly silent?: readonly string[]
}
type Planned = PlannedMove & {
  /** Without a target: the node that could take it, and is expected to connect again. */
  readonly awaits: string | null
}

/**
 * Plans where each of these servers of a node moves, in this order, and names what blocks the others.
 * Prefers targets in the same location, then those with the most free memory.
 * @param options.stop whether running machines are stopped and moved as well
 */
export async function planMoves(
  ctx: Ctx,
  node: NodeRow,
  serverIds: readonly string[],
  { stop = true }: { readonly stop?: boolean } = {},
): Promise<Planned[]> {
  const { db } = ctx
  const candidates: Candidate[] = (await joinedNodes(db)).filter(({ id }) => id !== node.id)
  const ids = candidates.map(({ id }) => id)
  const closed = await closedNodes(db, 'container', ids)
  const closedToMachines = await closedNodes(db, 'machine', ids)
  const views = new Map((await findViews(db, serverIds)).map((view) => [view.id, view]))
  const plan: Planned[] = []
  for (const id of serverIds) {
    const view = views.get(id)
    const row = await findServer(db, id)
    if (!view || row?.nodeId !== node.id) continue
    const fit =
      row.kind === 'vm'
        ? await machineFit(ctx, view, row, { candidates, stop, closed: closedToMachines })
        : await containerFit(ctx, view, row, { node, candidates, closed })
    const { target, why, silent = [] } = fit
    if (target) take(candidates, target.nodeId, row)
    const bytes = view.usageDisk
    const stops = row.kind === 'vm' && whyNotChangeable(view) !== null
    const estimate = target === null ? null : estimateOf(row, bytes)
    plan.push({
      serverId: id,
      serverName: row.name,
      kind: row.kind,
      bytes,
      target,
      copySeconds: estimate?.copySeconds ?? null,
      offSeconds: row.kind === 'vm' && !stops ? null : (estimate?.offSeconds ?? null),
      stops: stops && target !== null,
      backupsLeft: await keptHereOnly(db, id),
      why,
      awaits: target ? null : await firstAway(db, silent),
    })
  }
  return plan
}

/** For a machine whose disk usage is unknown, full disks are assumed. */
function estimateOf({ kind, diskMb }: ServerRow, bytes: number | null) {
  if (kind === 'vm') return estimateForMachine(bytes ?? diskMb * 1_048_576)
  return bytes === null ? null : estimateFor(bytes)
}

function take(candidates: Candidate[], nodeId: string, size: ServerRow): void {
  const at = candidates.findIndex(({ id }) => id === nodeId)
  const node = candidates[at]
  if (!node) return
  candidates[at] = {
    ...node,
    allocatedMemoryMb: node.allocatedMemoryMb + size.memoryMb,
    allocatedCpuPercent: node.allocatedCpuPercent + size.cpuPercent,
    allocatedDiskMb: node.allocatedDiskMb + size.diskMb,
  }
}

const targetOf = ({ id: nodeId, name: nodeName, location }: NodeRow) => ({
  nodeId,
  nodeName,
  location,
})

/** The same location first, then the most free memory. */
const inOrder = (candidates: readonly Candidate[], location: string): Candidate[] =>
  candidates.toSorted(
    (a, b) =>
      Number(b.location === location) - Number(a.location === location) ||
      freeOn(b).memoryMb - freeOn(a).memoryMb,
  )

async function containerFit(
  ctx: Ctx,
  view: ServerView,
  row: ServerRow,
  given: {
    readonly node: NodeRow
    readonly candidates: readonly Candidate[]
    readonly closed: ReadonlyMap<string, Closed>
  },
): Promise<Fit> {
  const { node: source, candidates, closed } = given
  const blocked = whyNotMovable(ctx, view)
  if (blocked) return { target: null, why: blocked }
  const moving = {
    row,
    source,
    closed,
    move: await findMove(ctx.db, row.id),
    left: await leftByMoves(ctx, row),
    outside: await outsideLimits(ctx, row, source),
  }
  const tried = inOrder(candidates, source.location).map((node) => ({
    node,
    why: whyNotTo(node, moving),
  }))
  const fitting = tried.find(({ why }) => why === null)
  if (fitting) return { target: targetOf(fitting.node), why: null }
  const [first, ...others] = tried
  if (!first?.why) return { target: null, why: NO_OTHER_NODE }
  const silent = tried.flatMap(({ node, why }) =>
    why?.code === 'node_unavailable' && hasRoom(freeOn(node), row) ? [node.id] : [],
  )
  return { target: null, why: others.length === 0 ? first.why.detail : NO_NODE_FITS, silent }
}

async function machineFit(
  ctx: Ctx,
  view: ServerView,
  row: ServerRow,
  given: {
    readonly candidates: readonly Candidate[]
    readonly stop: boolean
    readonly closed: ReadonlyMap<string, Closed>
  },
): Promise<Fit> {
  const { candidates, stop, closed } = given
  const blocked = whyNotChangeable(view, { stopping: stop })
  if (blocked) return { target: null, why: blocked }
  const { items } = await migrationTargets(ctx, view)
  const possible = items.filter(({ possible }) => possible)
  if (possible.length === 0) {
    const silent = items.flatMap(({ nodeId, why }) => {
      const shut = closed.get(nodeId)
      return shut?.passes && shut.why === why ? [nodeId] : []
    })
    return {
      target: null,
      why: items.length === 1 ? (items[0]?.why ?? null) : NO_NODE_FITS,
      silent,
    }
  }
  // Machines whose address would change are left for their people to decide.
  const keeping = possible.filter(({ networks }) =>
    networks.some(({ changesAddress, why }) => why === null && !changesAddress),
  )
  if (keeping.length === 0)
    return { target: null, why: 'Its address would change: move it on its own page' }
  const ids = new Set(keeping.map(({ nodeId }) => nodeId))
  const node = inOrder(candidates, view.location).find(
    (one) => ids.has(one.id) && hasRoom(freeOn(one), row),
  )
  return node ? { target: targetOf(node), why: null } : { target: null, why: NO_NODE_FITS }
}

const NO_OTHER_NODE = 'There is no other node'
const NO_NODE_FITS = 'No other node can take it now: none has room, or all are closed'
