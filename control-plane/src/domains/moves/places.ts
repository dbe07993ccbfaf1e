import type { Ctx } from '../../context.ts'
import { Permanent } from '../../jobs/sagas/saga.ts'
import { Problem } from '../../problem.ts'
import { reserveNode, resizeBeyondCapacity, resizeReservation } from '../nodes/index.ts'
import {
  announceDesired,
  byOffset,
  changeDesired,
  findServer,
  listPorts,
  lockServer,
  movePortsTo,
  NO_OBSERVATION,
  portsAt,
  requireNothingLeft,
  respec,
  type ServerRow,
  type StorageChange,
} from '../servers/index.ts'
import { deleteMove, findMove, insertMove, updateMove } from './store.ts'
import type { ServerMoveRow } from './tables.ts'

/** A container server with a place on two nodes: one has it, the other reserves room for it. */
export interface TwoPlaces {
  readonly serverId: string
  readonly sourceId: string
  readonly targetId: string
}

/**
 * Reserves capacity and finds ports at the target. Idempotent.
 * @throws {Problem} no_capacity, node_unavailable
 * @throws {Permanent} no_capacity, not_found, conflict, part_left_behind
 */
export function reservePlace(ctx: Ctx, { serverId, targetId }: TwoPlaces): Promise<void> {
  return ctx.transaction(async (ctx) => {
    const row = await present(ctx, serverId)
    const move = await findMove(ctx.db, serverId)
    if (move?.otherNodeId === targetId) return
    if (move) throw new Permanent('conflict', 'A former copy of it still lies on another node')
    await requireNothingLeft(ctx, serverId, targetId)
    const size = sizeOf(row)
    await reserveNode(ctx.db, { workload: 'container', nodeId: targetId }, size)
    const ports = await listPorts(ctx.db, serverId)
    const there = await portsAt(ctx, ports, targetId, {})
    await insertMove(ctx.db, {
      serverId,
      state: 'taken',
      otherNodeId: targetId,
      ...size,
      ports: byOffset(
        ports.map((port) => ({ ...port, hostPort: there.get(port.hostPort) ?? port.hostPort })),
      ),
      placementGeneration: row.placementGeneration,
    })
    await ctx.live.announce(ctx.db, { kind: 'node', id: targetId })
  })
}

/** The same in a job, where every refusal is final. */
export async function takePlace(ctx: Ctx, places: TwoPlaces): Promise<void> {
  try {
    await reservePlace(ctx, places)
  } catch (error) {
    if (error instanceof Problem) throw new Permanent(error.code, error.message)
    throw error
  }
}

/**
 * Releases the reservations on the node that does not have the server, even if the server is gone.
 */
export async function leavePlace(
  ctx: Ctx,
  { serverId, otherNodeId }: { readonly serverId: string; readonly otherNodeId: string },
): Promise<void> {
  await ctx.transaction(async (ctx) => {
    await lockServer(ctx.db, serverId)
    const move = await findMove(ctx.db, serverId)
    if (move?.otherNodeId !== otherNodeId) return
    const { memoryMb, cpuPercent, diskMb } = move
    const by = { memoryMb: -memoryMb, cpuPercent: -cpuPercent, diskMb: -diskMb }
    await resizeReservation(ctx.db, otherNodeId, by, -1)
    await deleteMove(ctx.db, serverId)
    await ctx.live.announce(ctx.db, { kind: 'node', id: otherNodeId })
  })
}

/**
 * Makes `to` the server's node instead of `from`, with ports and addresses of that node, and
 * remembers its former ones, and the storage that it leaves, for the way back. Idempotent. The
 * placement increases on the way back too, so that a node never mistakes an earlier stay for the
 * present one.
 */
export async function swapPlaces(
  ctx: Ctx,
  serverId: string,
  from: string,
  to: string,
  storages?: StorageChange,
): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const row = await present(ctx, serverId)
    const move = await findMove(ctx.db, serverId)
    if (row.nodeId === to || !move) return
    if (row.nodeId !== from || move.otherNodeId !== to)
      throw new Permanent('conflict', 'The server is somewhere else by now')
    await followSize(ctx, row, move)
    const ports = await listPorts(ctx.db, serverId)
    await movePortsTo(ctx, ports, to, move.ports)
    const placementGeneration = row.placementGeneration + 1
    const storageId = storages ? storages.to : row.storageId
    const moved = { ...row, nodeId: to, placementGeneration, storageId }
    await changeDesired(ctx, row, {
      ...{ nodeId: to, placementGeneration, storageId },
      ...(await respec(ctx, moved)),
      ...NO_OBSERVATION,
    })
    await updateMove(ctx.db, serverId, {
      state: 'left',
      otherNodeId: from,
      ...sizeOf(row),
      ports: byOffset(ports),
      placementGeneration: row.placementGeneration,
      filesOn: storages?.from ?? null,
    })
    // The node it left must learn that the server is no longer desired there.
    await announceDesired(ctx, { id: serverId, nodeId: from })
  })
}

/**
 * It may have been resized since the reservation. The node that it left takes it back at any size:
 * its files are there, and where it is now it does not start.
 */
async function followSize(ctx: Ctx, row: ServerRow, reserved: ServerMoveRow): Promise<void> {
  const { memoryMb, cpuPercent, diskMb } = sizeOf(row)
  const by = {
    memoryMb: memoryMb - reserved.memoryMb,
    cpuPercent: cpuPercent - reserved.cpuPercent,
    diskMb: diskMb - reserved.diskMb,
  }
  if (by.memoryMb === 0 && by.cpuPercent === 0 && by.diskMb === 0) return
  if (reserved.state === 'left') return await resizeBeyondCapacity(ctx.db, reserved.otherNodeId, by)
  try {
    await resizeReservation(ctx.db, reserved.otherNodeId, by)
  } catch (error) {
    if (error instanceof Problem) throw new Permanent(error.code, error.message)
    throw error
  }
}

type Size = Pick<ServerRow, 'memoryMb' | 'cpuPercent' | 'diskMb'>

const sizeOf = ({ memoryMb, cpuPercent, diskMb }: Size): Size => ({ memoryMb, cpuPercent, diskMb })

async function present(ctx: Ctx, serverId: string): Promise<ServerRow> {
  const row = await lockServer(ctx.db, serverId)
  if (row) return row
  throw new Permanent('not_found', 'The server is gone')
}

/**
 * The server on the node that is to have it.
 * @throws {Permanent} not_found
 */
export async function placedOn(ctx: Ctx, serverId: string, nodeId: string): Promise<ServerRow> {
  const row = await findServer(ctx.db, serverId)
  if (row?.nodeId === nodeId) return row
  throw new Permanent('not_found', 'The server is gone')
}
