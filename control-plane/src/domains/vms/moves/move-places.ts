import { isMachine, type MachineSpec } from '@lodge/shared/machine-spec.ts'
import type { Ctx } from '../../../context.ts'
import { Permanent } from '../../../jobs/sagas/saga.ts'
import { Problem } from '../../../problem.ts'
import { reserveNode, resizeReservation } from '../../nodes/index.ts'
import {
  announceDesired,
  changeDesired,
  endOperation,
  findMachine,
  findServer,
  leaseAddress,
  leasedAddress,
  listPorts,
  lockServer,
  type MachineRow,
  movePortsTo,
  NO_OBSERVATION,
  openAddress,
  releaseAddress,
  requireNothingLeft,
  respec,
  type ServerRow,
  updateMachine,
} from '../../servers/index.ts'
import { lockNetwork } from '../../virtualization/index.ts'
import { deleteMove, findMove, insertMove, updateMove } from '../store.ts'
import type { MoveRow } from '../tables.ts'
import { MOVING, type Move } from './move.ts'

/** Reserves capacity and an address at the target. Idempotent. */
export async function takePlace(ctx: Ctx, move: Omit<Move, 'shared'>): Promise<void> {
  try {
    await ctx.transaction(async (ctx) => {
      const { row, machine } = await held(ctx, move.serverId)
      if (await findMove(ctx.db, row.id)) return
      const size = movingSize(row, move.storages === undefined)
      await requireNothingLeft(ctx, row.id, move.targetId)
      await reserveNode(ctx.db, { workload: 'machine', nodeId: move.targetId }, size)
      const address = await addressIn(ctx, move.networkId, machine)
      await insertMove(ctx.db, {
        serverId: row.id,
        state: 'taken',
        otherNodeId: move.targetId,
        ...size,
        place: {
          ...{ networkId: move.networkId, address, ports: {} },
          ...(move.storages && { storageId: move.storages.to }),
        },
        placementGeneration: row.placementGeneration,
      })
    })
  } catch (error) {
    if (error instanceof Problem) throw new Permanent(error.code, error.message)
    throw error
  }
}

/**
 * The capacity that a machine takes on its node. On shared storage its snapshots move along,
 * otherwise they stay.
 * @param keepsStorage it lies on the same storage there
 */
export const movingSize = (
  {
    memoryMb,
    cpuPercent,
    diskMb,
    storageId,
    copiesDiskMb,
  }: Pick<ServerRow, 'memoryMb' | 'cpuPercent' | 'diskMb' | 'storageId' | 'copiesDiskMb'>,
  keepsStorage: boolean,
) => ({
  memoryMb,
  cpuPercent,
  diskMb: storageId === null || !keepsStorage ? diskMb : diskMb + copiesDiskMb,
})

/**
 * Reserves the current size of its snapshots, some of which may be newer than the reservation.
 * @returns the new reservation
 */
async function followSnapshots(ctx: Ctx, row: ServerRow, move: MoveRow): Promise<number> {
  const keepsStorage = move.place.storageId === undefined
  const { diskMb } = movingSize(row, keepsStorage)
  const more = row.storageId === null || !keepsStorage ? 0 : diskMb - move.diskMb
  if (more === 0) return move.diskMb
  try {
    await resizeReservation(ctx.db, move.otherNodeId, { memoryMb: 0, cpuPercent: 0, diskMb: more })
    return diskMb
  } catch (error) {
    if (error instanceof Problem) throw new Permanent(error.code, error.message)
    throw error
  }
}

async function addressIn(ctx: Ctx, networkId: string, machine: MachineRow): Promise<number> {
  const own = await leasedAddress(ctx.db, networkId, machine.serverId)
  if (own !== undefined) return own
  const network = await lockNetwork(ctx.db, networkId)
  const address = network && (await openAddress(ctx, network))
  if (address === undefined)
    throw new Permanent('no_capacity', `There is no free address left in ${network?.name}`)
  await leaseAddress(ctx.db, networkId, machine.serverId, address)
  return address
}

/**
 * Releases the reservations on the node that does not have the machine, even if the machine is gone.
 */
export async function endMove(ctx: Ctx, serverId: string, otherNodeId: string): Promise<void> {
  await ctx.transaction(async (ctx) => {
    await lockServer(ctx.db, serverId)
    const move = await findMove(ctx.db, serverId)
    if (move?.otherNodeId !== otherNodeId) return
    const { memoryMb, cpuPercent, diskMb, place } = move
    const by = { memoryMb: -memoryMb, cpuPercent: -cpuPercent, diskMb: -diskMb }
    await resizeReservation(ctx.db, otherNodeId, by, -1)
    const machine = await findMachine(ctx.db, serverId)
    if (machine && place.networkId !== machine.networkId)
      await releaseAddress(ctx.db, place.networkId, serverId)
    await deleteMove(ctx.db, serverId)
    await ctx.live.announce(ctx.db, { kind: 'node', id: otherNodeId })
  })
}

/**
 * Makes `to` the machine's node instead of `from`, and remembers its former place for the way back.
 * Idempotent. The placement increases on the way back too, so a boot permit of an earlier one is
 * never valid again.
 * @param unless refuses it, under the lock of the machine
 */
export async function swapPlaces(
  ctx: Ctx,
  { serverId }: Pick<Move, 'serverId'>,
  from: string,
  to: string,
  unless: (db: Ctx['db']) => Promise<void> = async () => undefined,
) {
  await ctx.transaction(async (ctx) => {
    const { row, machine } = await held(ctx, serverId)
    const move = await findMove(ctx.db, serverId)
    if (row.nodeId === to || !move) return
    await unless(ctx.db)
    if (row.nodeId !== from || move.otherNodeId !== to)
      throw new Permanent('conflict', 'The machine is somewhere else by now')
    const diskMb = await followSnapshots(ctx, row, move)
    const ports = await listPorts(ctx.db, serverId)
    const next = await movePortsTo(ctx, ports, to, move.place.ports)
    await updateMachine(ctx.db, serverId, {
      networkId: move.place.networkId,
      address: move.place.address,
      natRules: machine.natRules.flatMap((rule) => {
        const hostPort = next.get(rule.hostPort)
        return hostPort === undefined ? [] : [{ ...rule, hostPort }]
      }),
    })
    const placementGeneration = row.placementGeneration + 1
    const isChanged = move.place.storageId !== undefined
    const { storageId = row.storageId } = move.place
    const moved = { ...row, nodeId: to, placementGeneration, storageId }
    const changed = await changeDesired(ctx, row, {
      ...{ nodeId: to, placementGeneration, storageId },
      ...(await respec(ctx, moved)),
      ...NO_OBSERVATION,
    })
    await updateMove(ctx.db, serverId, {
      state: 'left',
      otherNodeId: from,
      diskMb,
      place: {
        networkId: machine.networkId,
        address: machine.address,
        ports: Object.fromEntries(ports.map(({ offset, hostPort }) => [offset, hostPort])),
        ...(isChanged && { storageId: row.storageId }),
      },
      sinceGeneration: changed.generation,
      placementGeneration: row.placementGeneration,
      provenAt: null,
    })
    // The node it left must learn that the server is no longer desired there.
    await announceDesired(ctx, { id: serverId, nodeId: from })
  })
}

async function held(ctx: Ctx, serverId: string) {
  const row = await lockServer(ctx.db, serverId)
  const machine = row && (await findMachine(ctx.db, serverId))
  if (!row || !machine) throw new Permanent('not_found', 'The machine is gone')
  return { row, machine }
}

/**
 * Releases the hold of a move, however the move ended.
 * @param given the placement already issued for the target when the move failed: it is skipped,
 * because nothing may boot under it any more
 * @returns whether it was held
 */
export function releaseHold(ctx: Ctx, serverId: string, given = 0): Promise<boolean> {
  return endOperation(ctx, serverId, MOVING, (row) => ({
    placementGeneration: Math.max(row.placementGeneration, given),
  }))
}

/** The shared storage whose files of the machine go with what its other node has. */
export const filesOnOther = ({ place }: Pick<MoveRow, 'place'>): string | undefined =>
  place.storageId ?? undefined

/** Its spec without what depends on its place: a medium in its drive, and ports of the node. */
export async function unplacedSpec(ctx: Ctx, serverId: string): Promise<MachineSpec> {
  const spec = (await findServer(ctx.db, serverId))?.desiredSpec
  if (spec && isMachine(spec)) return { ...spec, medium: null, natRules: [] }
  throw new Permanent('not_found', 'The machine is gone')
}
