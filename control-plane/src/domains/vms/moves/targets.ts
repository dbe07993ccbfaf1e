import { whyNodeCannot } from '@lodge/shared/node-abilities.ts'
import type { VmMigrationTargets } from '@lodge/shared/vm-moves.ts'
import { isAdmin } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { notFound } from '../../../problem.ts'
import { findUser } from '../../customers/index.ts'
import { quotaOf } from '../../limits/index.ts'
import {
  type Closed,
  closedNodes,
  findNode,
  hasStorage,
  isOnline,
  type NodeRow,
  vmNodes,
} from '../../nodes/index.ts'
import {
  findMachine,
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
} from '../../servers/index.ts'
import {
  findProfile,
  listNetworks,
  type NetworkRow,
  type ProfileRow,
  whyNotInNetwork,
  whyNotOnNode,
} from '../../virtualization/index.ts'
import { requireVm } from '../access.ts'
import { findMove, hasBooted, listSnapshots } from '../store.ts'
import type { MoveRow } from '../tables.ts'
import { movingSize } from './move-places.ts'

/** What a machine needs from a target node. */
export interface Moving {
  readonly row: Pick<
    ServerRow,
    'nodeId' | 'storageId' | 'memoryMb' | 'cpuPercent' | 'diskMb' | 'copiesDiskMb'
  >
  readonly profile: ProfileRow
  readonly move: MoveRow | undefined
  /** It may have run since the move, so the former copy may be outdated. */
  readonly booted: boolean
  /** Nodes that currently accept nothing new. */
  readonly closed: ReadonlyMap<string, Closed>
  /** Why the owner's limits exclude a location. */
  readonly outside: (location: string) => string | null
  readonly source: NodeRow
  /** It changes its storage on the way; on the way back, `changeBack`. */
  readonly change?: StorageChange | undefined
  /** What its disks take, as far as known. */
  readonly usedBytes?: number | null
}

/** What changes with the way back to a node that has the former copy; undefined if nothing does. */
export const changeBack = (
  { storageId }: Pick<ServerRow, 'storageId'>,
  { place }: MoveRow,
): StorageChange | undefined =>
  place.storageId === undefined ? undefined : { from: storageId, to: place.storageId }

/** Why a machine cannot move to this node now; null if it can. */
export function whyNotTo(
  node: NodeRow,
  { row, profile, move, booted, closed, outside, source, change, usedBytes = null }: Moving,
): string | null {
  if (node.id === row.nodeId) return 'The machine is already there'
  if (!isOnline(node)) return `${node.name} is not connected`
  const unfit =
    whyNotOnNode(node, profile.hardware) ??
    whyNodeCannot(node, 'machine', 'transfer') ??
    outside(node.location)
  if (unfit) return unfit
  const storageId = change ? change.to : row.storageId
  if (storageId !== null && !hasStorage(node, storageId))
    return `${node.name} does not have its shared storage now`
  // Capacity for the way back is still reserved there.
  if (move?.otherNodeId === node.id) {
    if (!booted) return null
    return move.provenAt
      ? 'Its former copy there is being taken away: wait a moment'
      : 'Its former copy there is kept until the machine has run here: start it once more'
  }
  if (move) return whyFormerCopy(move.provenAt !== null)
  const unchangeable = change && whyNoChange({ source, target: node }, change, usedBytes, 'vm')
  if (unchangeable) return unchangeable
  const shut = closed.get(node.id)
  if (shut) return shut.why
  const free = {
    memoryMb: node.memoryMb - node.headroomMb - node.allocatedMemoryMb,
    cpuPercent: node.cpuPercent - node.allocatedCpuPercent,
    diskMb: node.diskMb - node.allocatedDiskMb,
  }
  const size = movingSize(row, change === undefined)
  const fits =
    free.memoryMb >= size.memoryMb &&
    free.cpuPercent >= size.cpuPercent &&
    free.diskMb >= size.diskMb
  return fits ? null : `${node.name} has no room for it`
}

/** Locations that the owner's limits exclude for this caller, each with the refusal. */
async function outsideLimits(
  ctx: Ctx,
  server: Pick<ServerRow, 'ownerId' | 'nodeId' | 'subscriptionId'>,
): Promise<Moving['outside']> {
  const owner = await findUser(ctx.db, server.ownerId)
  const present = await findNode(ctx.db, server.nodeId)
  const listed = owner && (await quotaOf(ctx, owner)).listed('allowedLocations', { of: server })
  return (location) =>
    !listed?.binds || location === present?.location || listed.values.includes(location)
      ? null
      : 'This location is not available to this account'
}

/** Whether the caller may move machines into this network; a machine already in it may stay. */
export const mayEnter = (ctx: Ctx, network: NetworkRow): boolean =>
  network.enabled && (isAdmin(ctx.actor) || network.customerVisible)

/** Whether the machine's address would change. */
export const changesAddress = (from: string, to: NetworkRow): boolean => from !== to.id

/** Where a machine could move, and why not to the other nodes. */
export async function migrationTargets(ctx: Ctx, server: ServerView): Promise<VmMigrationTargets> {
  requireVm(server)
  const { db } = ctx
  const [row, machine] = [await findServer(db, server.id), await findMachine(db, server.id)]
  const profile = machine && (await findProfile(db, machine.profileId))
  if (!row || !machine || !profile) throw notFound('server')
  const nodes = await vmNodes(db)
  const source = await findNode(db, row.nodeId)
  if (!source) throw notFound('server')
  const moving = {
    ...{ row, profile, source, usedBytes: server.usageDisk },
    move: await findMove(db, row.id),
    booted: await hasBooted(db, row.id, row.placementGeneration),
    closed: await closedNodes(
      db,
      'machine',
      nodes.map(({ id }) => id),
    ),
    outside: await outsideLimits(ctx, row),
  }
  const networks = await listNetworks(db)
  const copies = await listSnapshots(db, row.id)
  const parts = await partsLeftOf(ctx, row.id)
  const items = nodes
    .filter((node) => node.id !== row.nodeId)
    .map((node) => {
      const usable = networks
        .filter((network) => mayEnter(ctx, network) || network.id === machine.networkId)
        .map((network) => ({
          id: network.id,
          name: network.name,
          changesAddress: changesAddress(machine.networkId, network),
          why: whyNotInNetwork(node, network) ?? null,
        }))
      const none = usable.every(({ why }) => why !== null)
      const returns = moving.move?.otherNodeId === node.id
      const whyNot = (change: StorageChange | undefined) =>
        (copies.length > 0 && (row.storageId === null || change) ? SNAPSHOTS_STAY : null) ??
        whyPartLeft(ctx, node, parts, row.nodeId) ??
        whyFilesLeft(change?.to ?? null, parts) ??
        whyNotTo(node, { ...moving, change }) ??
        (none ? (usable[0]?.why ?? 'There is no network there') : null)
      const why = whyNot(returns && moving.move ? changeBack(row, moving.move) : undefined)
      const others = returns ? [] : otherPlaces(ctx, row, node)
      const storages = others.map((place) => ({
        ...place,
        why: whyNot({ from: row.storageId, to: place.id }),
      }))
      return {
        nodeId: node.id,
        nodeName: node.name,
        location: node.location,
        possible: why === null,
        why,
        storages,
        networks: usable,
      }
    })
  // Nothing is copied between nodes with the same storage.
  return {
    items,
    here: await placesHere(
      ctx,
      server,
      row,
      source,
      moving.move && whyFormerCopy(moving.move.provenAt !== null),
    ),
    bytes: row.storageId === null ? server.usageDisk : 0,
  }
}

export const SNAPSHOTS_STAY = 'Snapshots stay on their node: delete those of the machine first'
