import type { MoveTargets } from '@lodge/shared/moves.ts'
import { MOVES_SERVERS, whyNodeCannot } from '@lodge/shared/node-abilities.ts'
import type { ProblemCode } from '@lodge/shared/problems.ts'
import type { Ctx } from '../../context.ts'
import { notFound } from '../../problem.ts'
import { keptHereOnly } from '../backups/index.ts'
import { findUser } from '../customers/index.ts'
import { quotaOf } from '../limits/index.ts'
import {
  type Closed,
  closedNodes,
  findNode,
  hasStorage,
  joinedNodes,
  type NodeRow,
} from '../nodes/index.ts'
import {
  findServer,
  otherPlaces,
  partsLeftOf,
  placesHere,
  type ServerRow,
  type ServerView,
  type StorageChange,
  whyFilesLeft,
  whyFormerCopy,
  whyNoChange,
  whyPartLeft,
} from '../servers/index.ts'
import { whyNotMovable } from './movable.ts'
import { findMove } from './store.ts'
import type { ServerMoveRow } from './tables.ts'

/** Code and text of a refusal. */
export interface Why {
  readonly code: ProblemCode
  readonly detail: string
}

/** What a container server needs from a target node. */
export interface Moving {
  readonly row: Pick<ServerRow, 'nodeId' | 'memoryMb' | 'cpuPercent' | 'diskMb' | 'storageId'>
  readonly source: NodeRow
  readonly move: ServerMoveRow | undefined
  /** Why the rest of an earlier move keeps it from a node. */
  readonly left: (node: NodeRow, change?: StorageChange) => string | null
  /** Nodes that currently accept nothing new. */
  readonly closed: ReadonlyMap<string, Closed>
  /** Why the owner's limits exclude a location. */
  readonly outside: (location: string) => string | null
  /** It changes its storage on the way. */
  readonly change?: StorageChange | undefined
  /** What its files take, as far as known. */
  readonly usedBytes?: number | null
}

/** Why a container server cannot move to this node now; null if it can. */
export function whyNotTo(node: NodeRow, moving: Moving): Why | null {
  const { row, move, left, closed, outside, change, usedBytes = null } = moving
  if (node.id === row.nodeId)
    return { code: 'invalid_state', detail: `The server is on ${node.name} already` }
  if (move)
    return {
      code: 'conflict',
      detail:
        move.state === 'taken'
          ? 'The server is moving to another place: wait for it'
          : whyFormerCopy(true),
    }
  const part = left(node, change)
  if (part) return { code: 'part_left_behind', detail: part }
  const unable = whyUnable(node) ?? whyUnable(moving.source)
  if (unable) return { code: 'unsupported_on_node', detail: unable }
  const unchangeable =
    change && whyNoChange({ source: moving.source, target: node }, change, usedBytes, 'container')
  if (unchangeable) return { code: 'unsupported_on_node', detail: unchangeable }
  if (!change && row.storageId !== null && !hasStorage(node, row.storageId))
    return {
      code: 'unsupported_on_node',
      detail: `${node.name} does not have its shared storage now`,
    }
  const beyond = outside(node.location)
  if (beyond) return { code: 'forbidden', detail: beyond }
  const shut = closed.get(node.id)
  if (shut) return { code: shut.passes ? 'node_unavailable' : 'no_capacity', detail: shut.why }
  if (!hasRoom(freeOn(node), row))
    return { code: 'no_capacity', detail: `${node.name} has no room for it` }
  return null
}

/** Why the rest of an earlier move of a server keeps it from a node. */
export async function leftByMoves(
  ctx: Ctx,
  { id, nodeId }: Pick<ServerRow, 'id' | 'nodeId'>,
): Promise<Moving['left']> {
  const parts = await partsLeftOf(ctx, id)
  return (node, change) =>
    whyPartLeft(ctx, node, parts, nodeId) ?? whyFilesLeft(change?.to ?? null, parts)
}

/** What a node has free for new servers. */
export const freeOn = (node: NodeRow) => ({
  memoryMb: node.memoryMb - node.headroomMb - node.allocatedMemoryMb,
  cpuPercent: node.cpuPercent - node.allocatedCpuPercent,
  diskMb: node.diskMb - node.allocatedDiskMb,
})

type Size = ReturnType<typeof freeOn>

export const hasRoom = (free: Size, size: Size): boolean =>
  free.memoryMb >= size.memoryMb && free.cpuPercent >= size.cpuPercent && free.diskMb >= size.diskMb

function whyUnable(node: NodeRow): string | undefined {
  if (node.capabilities.includes('abilities') && !node.capabilities.includes(MOVES_SERVERS))
    return `The agent of ${node.name} is too old to move servers: update it`
  return whyNodeCannot(node, 'container', 'backups')
}

/** Why the owner's limits exclude a location for this caller; null where they do not. */
export async function outsideLimits(
  ctx: Ctx,
  row: Pick<ServerRow, 'ownerId' | 'subscriptionId'>,
  source: NodeRow,
): Promise<Moving['outside']> {
  const owner = await findUser(ctx.db, row.ownerId)
  const listed = owner && (await quotaOf(ctx, owner)).listed('allowedLocations', { of: row })
  return (location) =>
    !listed?.binds || location === source.location || listed.values.includes(location)
      ? null
      : 'This location is not available to this account'
}

/** Measured with one disk, between two machines of its kind. */
const BYTES_PER_SECOND = 60_000_000
const SECONDS_AROUND = 10
const SECONDS_OFF = 6
/** Files are moved into place from a copy that is on the node already. */
const PLACED_PER_SECOND = 200_000_000

/**
 * Estimates how long a move takes and how long the server is stopped meanwhile, from its size in
 * bytes.
 */
export const estimateFor = (bytes: number) => ({
  copySeconds: Math.ceil(SECONDS_AROUND + bytes / BYTES_PER_SECOND),
  offSeconds: Math.ceil(SECONDS_OFF + bytes / PLACED_PER_SECOND),
})

/** A graceful shutdown of a guest and its next boot. */
const SECONDS_AROUND_OFF = 45

/** The same for a machine, which is off from its stop until all of its disks have arrived. */
export function estimateForMachine(bytes: number) {
  const copySeconds = Math.ceil(
    SECONDS_AROUND + bytes / PLACED_PER_SECOND + bytes / BYTES_PER_SECOND,
  )
  return { copySeconds, offSeconds: copySeconds + SECONDS_AROUND_OFF }
}

/** Where a container server could move, and why not to the other nodes. */
export async function moveTargets(ctx: Ctx, server: ServerView): Promise<MoveTargets> {
  const { db } = ctx
  const row = await findServer(db, server.id)
  const source = row && (await findNode(db, row.nodeId))
  if (!row || !source) throw notFound('server')
  const nodes = (await joinedNodes(db)).filter(({ id }) => id !== row.nodeId)
  const moving: Moving = {
    row,
    source,
    move: await findMove(db, row.id),
    left: await leftByMoves(ctx, row),
    closed: await closedNodes(
      db,
      'container',
      nodes.map(({ id }) => id),
    ),
    outside: await outsideLimits(ctx, row, source),
    usedBytes: server.usageDisk,
  }
  const items = nodes.map((node) => {
    const why = whyNotTo(node, moving)?.detail ?? null
    const { id: nodeId, name: nodeName, location } = node
    const storages = otherPlaces(ctx, row, node).map((place) => {
      const change = { from: row.storageId, to: place.id }
      return { ...place, why: whyNotTo(node, { ...moving, change })?.detail ?? null }
    })
    return { nodeId, nodeName, location, possible: why === null, why, storages }
  })
  // Nothing is copied between nodes with the same shared storage.
  const bytes = row.storageId === null ? server.usageDisk : 0
  return {
    items,
    here: await placesHere(ctx, server, row, source, moving.move && whyFormerCopy(true)),
    why: whyNotMovable(ctx, server),
    bytes,
    estimate: bytes === null ? null : estimateFor(bytes),
    changeEstimate: server.usageDisk === null ? null : estimateFor(server.usageDisk),
    backupsLeft: await keptHereOnly(db, row.id),
  }
}
