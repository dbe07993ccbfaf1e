import { MOVES_SERVERS, TAKES_MACHINES, whyNodeCannot } from '@lodge/shared/node-abilities.ts'
import type { Ctx } from '../../context.ts'
import { closedNodes, hasStorage, type NodeRow } from '../nodes/index.ts'
import {
  findProfile,
  listNetworks,
  whyNotInNetwork,
  whyNotOnNode,
} from '../virtualization/index.ts'
import type { LostServer } from './store.ts'

/** Why a node cannot take a server like this one, regardless of room; undefined if it can. */
export type WhyUnfit = (server: LostServer, node: NodeRow) => string | undefined

/** Checks what these nodes offer to servers of a lost one. */
export async function fitnessOf(
  { db }: Ctx,
  servers: readonly LostServer[],
  nodes: readonly NodeRow[],
): Promise<WhyUnfit> {
  const ids = nodes.map(({ id }) => id)
  const profileIds = new Set(servers.flatMap(({ profileId }) => profileId ?? []))
  const hasMachines = profileIds.size > 0
  const profiles = new Map(
    await Promise.all([...profileIds].map(async (id) => [id, await findProfile(db, id)] as const)),
  )
  const networks = new Map(
    (hasMachines ? await listNetworks(db) : []).map((network) => [network.id, network]),
  )
  const closed = {
    container: await closedNodes(db, 'container', ids),
    vm: hasMachines ? await closedNodes(db, 'machine', ids) : new Map(),
  }
  return ({ kind, profileId, networkId, storageId }, node) => {
    const shut = closed[kind].get(node.id)
    if (shut) return shut.why
    const profile = profiles.get(profileId ?? '')
    const network = networks.get(networkId ?? '')
    return (
      whyTooOld(node, kind) ??
      whyWithoutStorage(node, storageId) ??
      whyNodeCannot(node, kind === 'vm' ? 'machine' : 'container', 'backups') ??
      (profile && whyNotOnNode(node, profile.hardware)) ??
      (network && whyNotInNetwork(node, network))
    )
  }
}

function whyTooOld({ name, capabilities }: NodeRow, kind: LostServer['kind']): string | undefined {
  if (kind === 'container' && !capabilities.includes(MOVES_SERVERS))
    return `The agent of ${name} is too old to take in servers: update it`
  if (kind === 'vm' && !capabilities.includes(TAKES_MACHINES))
    return `The agent of ${name} is too old to take in virtual machines: update it`
  return undefined
}

/** Its files are on that storage, so it can run only where the storage is. */
function whyWithoutStorage(node: NodeRow, storageId: string | null): string | undefined {
  if (storageId === null || hasStorage(node, storageId)) return undefined
  return `${node.name} does not have its shared storage now`
}
