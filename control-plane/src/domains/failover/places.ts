import type { Ctx } from '../../context.ts'
import { runOnNode } from '../../jobs/sagas/run-on-node.ts'
import { Permanent, type StepTools } from '../../jobs/sagas/saga.ts'
import * as containers from '../moves/index.ts'
import { findMachine, findServer, leftBehind, type MachineRow, onPlace } from '../servers/index.ts'
import * as machines from '../vms/index.ts'

/** A server that leaves a lost node for another one. */
export interface Leaving {
  readonly serverId: string
  readonly sourceId: string
  readonly targetId: string
  /** The placement on the lost node. */
  readonly placement: number
}

/** Places servers of one kind on another node. Every method is idempotent. */
export interface Places {
  /** Reserves capacity, and ports or an address. */
  take(ctx: Ctx, leaving: Leaving): Promise<void>
  /** Prepares everything but its files on the target node. */
  make(leaving: Leaving, tools: StepTools): Promise<void>
  /** Deletes what was prepared, or leaves that to a lost node for its return. */
  leavePrepared(leaving: Leaving, tools: StepTools): Promise<void>
  /** Changes the server's node to the target. Runs in the caller's transaction. */
  swap(ctx: Ctx, leaving: Leaving): Promise<void>
  /** Releases the reservations on a node that does not have it. */
  leave(ctx: Ctx, serverId: string, otherNodeId: string): Promise<void>
}

const ofContainers: Places = {
  take: containers.takePlace,
  make: containers.makePlace,
  leavePrepared: containers.leavePrepared,
  swap: (ctx, { serverId, sourceId, targetId }) =>
    containers.swapPlaces(ctx, serverId, sourceId, targetId),
  leave: (ctx, serverId, otherNodeId) => containers.leavePlace(ctx, { serverId, otherNodeId }),
}

const ofMachines: Places = {
  async take(ctx, leaving) {
    const { networkId } = await machineOf(ctx, leaving.serverId)
    await machines.takePlace(ctx, { ...leaving, networkId, returning: false })
  },
  async make({ serverId, targetId: nodeId, placement }, tools) {
    const spec = await machines.unplacedSpec(tools.ctx, serverId)
    const placementGeneration = placement + 1
    await onPlace({ serverId, nodeId }, tools, { do: 'make-machine', spec, placementGeneration })
  },
  async leavePrepared({ serverId, targetId, placement }, tools) {
    const placementGeneration = placement + 1
    if (await leftBehind(tools, { serverId, targetId, kind: 'vm', placementGeneration })) return
    await runOnNode(tools, {
      ...{ nodeId: targetId, serverId, name: 'discard', always: true },
      work: { $case: 'discardMachine', value: { placementGeneration } },
    })
  },
  async swap(ctx, { serverId, sourceId, targetId, placement }) {
    const { networkId } = await machineOf(ctx, serverId)
    const row = await findServer(ctx.db, serverId)
    if (row?.storageId === null) await machines.loseSnapshots(ctx, { serverId, nodeId: sourceId })
    // From another node it can never take the copy that they belong to.
    else await machines.loseAwaySnapshots(ctx, serverId)
    const move = { serverId, sourceId, targetId, placement, networkId, returning: false }
    await machines.swapPlaces(ctx, move, sourceId, targetId)
  },
  leave: machines.endMove,
}

export const placesOf = (kind: 'container' | 'vm'): Places =>
  kind === 'vm' ? ofMachines : ofContainers

async function machineOf(ctx: Ctx, serverId: string): Promise<MachineRow> {
  const machine = await findMachine(ctx.db, serverId)
  if (machine) return machine
  throw new Permanent('not_found', 'The machine is gone')
}
