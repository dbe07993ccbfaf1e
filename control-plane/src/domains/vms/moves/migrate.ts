import { movingAsks } from '@lodge/shared/limits/asks.ts'
import type { MoveServer } from '@lodge/shared/moves.ts'
import type { MigrateVm } from '@lodge/shared/vm-moves.ts'
import type { Ctx } from '../../../context.ts'
import { invalid } from '../../../http/input.ts'
import { notFound, Problem } from '../../../problem.ts'
import { requireQuota } from '../../limits/index.ts'
import { closedNodes, findNode } from '../../nodes/index.ts'
import {
  bySaga,
  findMachine,
  partsLeftOf,
  requireOnNode,
  type ServerRow,
  type ServerView,
  storageChange,
  whyFilesLeft,
  whyPartLeft,
} from '../../servers/index.ts'
import { findNetwork, findProfile, whyNotInNetwork } from '../../virtualization/index.ts'
import { operateMachine } from '../access.ts'
import { requireChangeable } from '../changeable.ts'
import { findMove, hasBooted, listSnapshots } from '../store.ts'
import { MOVING } from './move.ts'
import { migrateSaga } from './move-saga.ts'
import { changeBack, changesAddress, mayEnter, SNAPSHOTS_STAY, whyNotTo } from './targets.ts'

/**
 * Moves a machine through the endpoint for all servers: into its present network, unless another is
 * named.
 */
export async function moveMachine(
  ctx: Ctx,
  server: ServerView,
  { nodeId, networkId, storageId, confirmNetworkChange, stop, force }: MoveServer,
): Promise<{ jobId: string }> {
  const present = (await findMachine(ctx.db, server.id))?.networkId
  if (!present) throw notFound('server')
  const wanted = { nodeId, networkId: networkId ?? present, storageId }
  return migrate(ctx, server, { ...wanted, confirmNetworkChange, stop, force })
}

/**
 * Moves a machine to another node; a running one needs `stop`. If anything fails, it stays usable
 * where it is.
 */
export async function migrate(
  ctx: Ctx,
  server: ServerView,
  given: MigrateVm,
): Promise<{ jobId: string }> {
  return operateMachine(ctx, server, async (ctx, { owner, row, machine, view }) => {
    const node = await findNode(ctx.db, given.nodeId)
    const network = await findNetwork(ctx.db, given.networkId)
    const profile = await findProfile(ctx.db, machine.profileId)
    const source = await findNode(ctx.db, row.nodeId)
    if (!node || !source) throw invalid([{ pointer: '/nodeId', detail: 'is not a node' }])
    if (!network || !profile) throw invalid([{ pointer: '/networkId', detail: 'is not a network' }])
    requireChangeable(view, { stopping: given.stop })
    await requireOnNode(ctx, row, 'transfer')
    const move = await findMove(ctx.db, row.id)
    const returning = move?.otherNodeId === node.id
    const wanted = storageChange(ctx, row, given.storageId)
    const change = returning ? changeBack(row, move) : wanted
    if (returning && given.storageId !== undefined && wanted?.to !== change?.to)
      throw new Problem(
        'conflict',
        'Its former copy lies there: move it back without another storage, or start it once first',
      )
    const shared = row.storageId !== null && change === undefined
    if (!shared && (await listSnapshots(ctx.db, row.id)).length > 0)
      throw new Problem('in_use', SNAPSHOTS_STAY)
    const parts = await partsLeftOf(ctx, row.id)
    const left =
      whyPartLeft(ctx, node, parts, row.nodeId) ?? whyFilesLeft(wanted?.to ?? null, parts)
    if (left !== null) throw new Problem('part_left_behind', left)
    const booted = await hasBooted(ctx.db, row.id, row.placementGeneration)
    const closed = await closedNodes(ctx.db, 'machine', [node.id])
    // Limits are checked below, where `force` is considered.
    const outside = () => null
    const { usageDisk: usedBytes } = server
    const why =
      whyNotTo(node, { row, profile, move, booted, closed, outside, source, change, usedBytes }) ??
      whyNotInNetwork(node, network)
    if (why) throw new Problem('unsupported_on_node', why)
    const isNew = changesAddress(machine.networkId, network)
    if (returning && move.place.networkId !== network.id)
      throw new Problem(
        'conflict',
        'Its former copy lies there: move it back into the network that it came from',
      )
    if (isNew && !returning && !mayEnter(ctx, network))
      throw invalid([{ pointer: '/networkId', detail: 'is not open for this machine' }])
    // Clients, DNS records and firewalls may depend on the address.
    if (isNew && given.confirmNetworkChange !== true)
      throw new Problem(
        'confirmation_required',
        `The machine gets another address in ${network.name}: send confirmNetworkChange as true`,
      )
    await requireQuota(ctx, owner, () => movingAsks(view.location, node.location), {
      force: given.force,
      of: row,
    })
    return {
      title: `Move ${row.name} to ${node.name}`,
      // Keeps the machine stopped; when the hold ends, it starts again if it is meant to run.
      hold: MOVING,
      desired: { ending: 'graceful', ...(isGivenUp(row) && { desiredPower: 'off' }) },
      work: bySaga(migrateSaga, {
        serverId: row.id,
        sourceId: row.nodeId,
        targetId: node.id,
        networkId: network.id,
        placement: row.placementGeneration,
        ...{ returning, shared, storages: change },
      }),
    }
  })
}

/** A machine that crashed and was given up is not started elsewhere. */
const isGivenUp = ({ observedState, restartAt }: ServerRow): boolean =>
  observedState === 'crashed' && restartAt === null
