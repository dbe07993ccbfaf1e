import { whyNodeCannot } from '@lodge/shared/node-abilities.ts'
import type { CreateServer } from '@lodge/shared/servers.ts'
import type { Ctx } from '../../../context.ts'
import type { Db } from '../../../db/database.ts'
import { invalid } from '../../../http/input.ts'
import { Problem } from '../../../problem.ts'
import { closedNodes, type NodeRow, vmNodes } from '../../nodes/index.ts'
import {
  findNetwork,
  listNetworks,
  lockNetwork,
  type NetworkRow,
  whyNotInNetwork,
  whyNotOnNode,
  whyNotWithMedia,
} from '../../virtualization/index.ts'
import type { MachineDraft } from './draft.ts'
import { keptAddresses } from './kept-addresses.ts'
import { freeAddress, leasedIn } from './store.ts'

/**
 * The nodes, among those allowed, that could run a machine with this hardware now, and their
 * networks, the preferred one first.
 * @param selfService for a customer: only released networks, and problems name no nodes
 * @throws {Problem} no_capacity
 */
export async function candidatesFor(
  db: Db,
  {
    nodeId,
    location,
    among,
  }: Pick<CreateServer, 'nodeId' | 'location'> & { readonly among?: readonly string[] },
  {
    parts: { profile, medium, image },
    networkId,
    preferredNetworkId,
  }: Pick<MachineDraft, 'parts' | 'networkId'> & Partial<MachineDraft>,
  selfService: boolean,
): Promise<{ nodes: readonly NodeRow[]; networks: readonly NetworkRow[] }> {
  const networks = (await networksFor(db, networkId, selfService)).toSorted(
    (a, b) => Number(b.id === preferredNetworkId) - Number(a.id === preferredNetworkId),
  )
  const all = (await vmNodes(db)).filter(
    (node) =>
      (nodeId === undefined || node.id === nodeId) &&
      (location === undefined || node.location === location) &&
      (among?.includes(node.id) ?? true),
  )
  const closed = await closedNodes(
    db,
    'machine',
    all.map(({ id }) => id),
  )
  const reasons: string[] = []
  const nodes = all.filter((node) => {
    const why =
      closed.get(node.id)?.why ??
      whyNotOnNode(node, profile.hardware) ??
      whyNodeCannot(node, 'machine', 'installer') ??
      whyNotWithMedia(node, [medium, image]) ??
      (networks.some((network) => whyNotInNetwork(node, network) === undefined)
        ? undefined
        : networks[0] && whyNotInNetwork(node, networks[0]))
    if (why) reasons.push(why)
    return why === undefined
  })
  if (nodes.length > 0) return { nodes, networks }
  if (all.length > 0 && all.every(({ id }) => closed.get(id)?.passes)) throw notConnected()
  if (selfService) throw new Problem('no_capacity', NO_NODE_NOW)
  const whyNone = nodeId
    ? 'that node does not take them'
    : location
      ? `no node in ${location} takes them yet`
      : among
        ? 'no node with this shared storage takes them yet'
        : 'no node takes them yet'
  const why = reasons.length > 0 ? reasons.slice(0, 5).join('; ') : whyNone
  throw new Problem('no_capacity', `No node can run this virtual machine: ${why}`)
}

const notConnected = () =>
  new Problem(
    'node_unavailable',
    'No node for virtual machines is connected now: try again in a moment',
    { retryAfterSeconds: 15 },
  )

const NO_NODE_NOW =
  'No node can run this virtual machine now: choose another profile, network or location, or ask your host'

async function networksFor(
  db: Db,
  id: string | undefined,
  selfService: boolean,
): Promise<readonly NetworkRow[]> {
  const open = (network: NetworkRow) => !selfService || network.customerVisible
  if (id === undefined) {
    const enabled = (await listNetworks(db)).filter((one) => one.enabled && open(one))
    if (enabled.length > 0) return enabled
    if (selfService) throw new Problem('no_capacity', NO_NODE_NOW)
    throw new Problem('no_capacity', 'There is no network for virtual machines: register one first')
  }
  const found = await findNetwork(db, id)
  const network = found && open(found) ? found : undefined
  if (network?.enabled) return [network]
  const detail = network ? 'is not enabled for new machines' : 'is not a network'
  throw invalid([{ pointer: '/vm/networkId', detail }])
}

/** A free address of a locked network, unless all that are left are reserved for orders. */
export async function openAddress(
  { db, catalogue }: Pick<Ctx, 'db' | 'catalogue'>,
  network: NetworkRow,
): Promise<number | undefined> {
  const kept = await catalogue.answers.to(keptAddresses)(db, network.id)
  const size = network.poolTo - network.poolFrom + 1
  if (kept > 0 && size - (await leasedIn(db, network.id)) <= kept) return undefined
  return await freeAddress(db, network)
}

/**
 * Leases a free address in one of the node's networks that is not reserved for an order. The
 * network's row stays locked.
 */
export async function takeNetwork(
  { db, catalogue }: Pick<Ctx, 'db' | 'catalogue'>,
  nodeId: string,
  nodes: readonly NodeRow[],
  networks: readonly NetworkRow[],
): Promise<{ network: NetworkRow; address: number }> {
  const node = nodes.find((one) => one.id === nodeId)
  if (!node) throw new Error('placed on a node that was not asked for')
  const usable = networks.filter((network) => whyNotInNetwork(node, network) === undefined)
  for (const { id } of usable) {
    const network = await lockNetwork(db, id)
    if (!network) continue
    const address = await openAddress({ db, catalogue }, network)
    if (address !== undefined) return { network, address }
  }
  const names = usable.map((network) => network.name).join(', ')
  throw new Problem('no_capacity', `There is no free address left in ${names}: widen its pool`)
}
