import type { FailoverPlan, PlannedServer } from '@lodge/shared/failover.ts'
import type { Ctx } from '../../context.ts'
import { notFound } from '../../problem.ts'
import { type Survivor, survivorsOf } from '../backups/index.ts'
import { movesTo } from '../moves/index.ts'
import {
  describeNode,
  findNode,
  isOnline,
  joinedNodes,
  type NodeRow,
  nameOfStorage,
} from '../nodes/index.ts'
import { copiesOnStorages } from '../servers/index.ts'
import { type Assigned, assign } from './assign.ts'
import { partsOf } from './copy-store.ts'
import { whyNoFence } from './fencing/fencer.ts'
import { fitnessOf } from './fitness.ts'
import { serverFailover } from './stand.ts'
import { type LostServer, lostServers } from './store.ts'

/** The plan for one server of a lost node. */
export interface Fate {
  readonly server: LostServer
  /** The backup to restore; undefined if its files are on shared storage, or there is none. */
  readonly survivor: Survivor | undefined
  /** The shared storage with its files, as nodes name it; null for the disk of its node. */
  readonly storage: string | null
  readonly target: NodeRow | undefined
  /** Why it cannot be brought back; null if it can. */
  readonly why: string | null
  /** The job of its unfinished move, if it goes back to its former copy. */
  readonly leadsBack: string | null
}

/** The plan for each server of a node as of now, from the database alone. */
export async function fatesOf(ctx: Ctx, node: NodeRow): Promise<Fate[]> {
  const { db } = ctx
  const servers = await lostServers(db, node.id)
  const all = await joinedNodes(db)
  const others = all.filter(({ id }) => id !== node.id)
  // The age of backups does not matter for servers whose files survive.
  const shared = new Map(
    servers.flatMap(({ id, storageId }) =>
      storageId === null ? [] : [[id, nameOfStorage(all, storageId) ?? storageId] as const],
    ),
  )
  const survivors = new Map([...(await survivorsOf(db, node.id))].filter(([id]) => !shared.has(id)))
  const whyUnfit = await fitnessOf(ctx, servers, others)
  const blocked = new Map(
    servers.map((server) => [server.id, whyBlocked(server, survivors.get(server.id))]),
  )
  const ids = servers.map(({ id }) => id)
  const parts = Map.groupBy(
    [...(await partsOf(db, ids)), ...(await copiesOnStorages(db, ids))],
    ({ serverId }) => serverId,
  )
  const homeless = servers
    .filter(({ id }) => blocked.get(id) === null)
    .map((server) => {
      const { keptOnId = null, onlyThere = false } = survivors.get(server.id) ?? {}
      const notOn = new Set(parts.get(server.id)?.map(({ nodeId }) => nodeId))
      return {
        ...server,
        onlyOn: onlyThere ? keptOnId : null,
        notOn,
        whyUnfit: (node: NodeRow) => whyUnfit(server, node),
      }
    })
  const assigned = assign(homeless, others, node.location)
  return servers.map((server) => fateOf(server, { survivors, shared, blocked, assigned }))
}

function fateOf(
  server: LostServer,
  known: {
    readonly survivors: ReadonlyMap<string, Survivor>
    readonly shared: ReadonlyMap<string, string>
    readonly blocked: ReadonlyMap<string, string | null>
    readonly assigned: ReadonlyMap<string, Assigned>
  },
): Fate {
  const { survivors, shared, blocked, assigned } = known
  const place = assigned.get(server.id)
  return {
    server,
    survivor: survivors.get(server.id),
    storage: shared.get(server.id) ?? null,
    target: place?.node ?? undefined,
    why: blocked.get(server.id) ?? place?.why ?? null,
    leadsBack: leadsBack(server) ? server.busyJobId : null,
  }
}

/** Its move has not ended, so its former copy is complete. */
const leadsBack = ({ busyKind, formerNode }: LostServer): boolean =>
  busyKind === 'server.migrate' && formerNode !== null

/** Those that can neither be brought back now nor are brought back already. */
export const leftOut = (fates: readonly Fate[]): Fate[] =>
  fates.filter(
    ({ why, leadsBack, server }) =>
      why !== null &&
      leadsBack === null &&
      !server.holds.includes('failover') &&
      !server.holds.includes('deleting'),
  )

/** Its job is given up with its node, and is waited for. */
const isGivenUp = ({ changesStorage, isLeaving, busyKind }: LostServer): boolean =>
  // A failover that has no hold any more only waits for the start here.
  changesStorage || isLeaving || busyKind === 'server.failover'

/** Holds that do not prevent bringing a server back; with the first two it stays stopped there. */
const HARMLESS = ['suspension', 'deletion', 'backing-up']

function whyBlocked(server: LostServer, survivor: Survivor | undefined): string | null {
  if (server.holds.includes('failover')) return 'It is being brought back already'
  if (server.holds.includes('deleting')) return 'It is being deleted'
  if (leadsBack(server))
    return `It has just moved here, and goes back to ${server.formerNode}, which has its files from before`
  const isBusy = server.busyKind !== null && server.busyKind !== 'backup.create'
  const isFreed = isGivenUp(server)
  const isHeld = server.holds.some(
    (kind) => !HARMLESS.includes(kind) && !(kind === 'migrating' && isFreed),
  )
  if ((isBusy && !isFreed) || isHeld) return 'A job of it waits for the node: cancel that job first'
  if (server.isMoving && !server.isLeaving)
    return 'It has not started since it moved here, so its former copy is kept: start it when this node is back'
  if (!survivor && server.storageId === null)
    return 'There is no backup of it that outlives the node'
  return null
}

/** Why it is not started on its new node, although it was meant to run. */
const whyStaysOff = ({ wantedOn, givenUp, holds }: LostServer): string | null => {
  if (!wantedOn) return null
  if (holds.includes('suspension')) return 'It is suspended'
  if (holds.includes('deletion')) return 'It is to be deleted'
  return givenUp ? 'It had crashed, and was given up' : null
}

/** Whether a node may be declared dead now. */
export const whyNotDead = (node: NodeRow): string | null => {
  if (node.credentialHash === null) return `${node.name} has never joined`
  return isOnline(node)
    ? `${node.name} is connected, and its servers run. To empty it, move them`
    : null
}

/**
 * The plan for each server of a node if that were lost now. Changes nothing.
 * @throws {Problem} not_found
 */
export async function planFailover(ctx: Ctx, nodeId: string): Promise<FailoverPlan> {
  const node = await findNode(ctx.db, nodeId)
  if (!node) throw notFound('node')
  const fates = await fatesOf(ctx, node)
  const moves = await movesTo(ctx.db, nodeId)
  const whyNotStonith = await whyNoFence(ctx)
  const isNothing =
    moves.length === 0 &&
    fates.every(
      ({ why, leadsBack, server }) => why !== null && leadsBack === null && !isGivenUp(server),
    )
  const { id, name, location, state, lastSeenAt } = describeNode(node)
  return {
    node: { id, name, location, state, lastSeenAt },
    whyNot: whyNotDead(node) ?? (isNothing ? NOTHING_TO_DO : null),
    moves: moves.map(({ serverId, serverName }) => ({ serverId, serverName })),
    servers: fates.map((fate) => describeFate(whyNotStonith, fate, node)),
  }
}

export const NOTHING_TO_DO = 'None of its servers can be brought back elsewhere now'

function describeFate(
  whyNotStonith: string | null,
  { server, survivor, storage, target, why }: Fate,
  node: NodeRow,
): PlannedServer {
  const staysOff = whyStaysOff(server)
  return {
    serverId: server.id,
    serverName: server.name,
    kind: server.kind,
    owner: server.owner,
    memoryMb: server.memoryMb,
    diskMb: server.diskMb,
    starts: why === null && server.wantedOn && staysOff === null,
    staysOff,
    backup: survivor
      ? {
          id: survivor.backupId,
          name: survivor.backupName,
          createdAt: survivor.createdAt.toISOString(),
          sizeBytes: survivor.sizeBytes,
          keptOn: survivor.keptOn,
        }
      : null,
    storage,
    target: target ? { nodeId: target.id, nodeName: target.name, location: target.location } : null,
    why,
    failover: serverFailover(whyNotStonith, server, node),
  }
}
