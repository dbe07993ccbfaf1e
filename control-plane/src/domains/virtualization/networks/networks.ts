import { randomUUIDv7 } from 'node:crypto'
import type { Offer, RegisterVmNetwork, VmNetwork } from '@lodge/shared/vms.ts'
import type { Ctx } from '../../../context.ts'
import { isDuplicate } from '../../../db/database.ts'
import { invalid } from '../../../http/input.ts'
import { Problem } from '../../../problem.ts'
import { findNodes } from '../../nodes/index.ts'
import { leaseCounts } from '../questions.ts'
import { deleteNetwork, insertNetwork, lockNetworks, offerNetwork } from '../store.ts'
import type { NetworkRow } from '../tables.ts'
import { requireUnused } from '../usage.ts'
import { overlap, type Subnet, subnetOf, toAddress, toNumber } from './ipv4.ts'

export const subnetOfRow = (row: NetworkRow): Subnet => ({
  from: row.subnet,
  to: row.subnet + 2 ** (32 - row.prefixLength) - 1,
  prefixLength: row.prefixLength,
})

/** @param leased for administrators only */
export const describeNetwork = (row: NetworkRow, leased: number | undefined): VmNetwork => ({
  id: row.id,
  name: row.name,
  mode: row.mode,
  enabled: row.enabled,
  customerVisible: row.customerVisible,
  subnet: `${toAddress(row.subnet)}/${row.prefixLength}`,
  gateway: toAddress(row.gateway),
  dns: row.dns,
  libvirtName: leased === undefined ? null : row.libvirtName,
  pool:
    leased === undefined
      ? null
      : {
          from: toAddress(row.poolFrom),
          to: toAddress(row.poolTo),
          size: row.poolTo - row.poolFrom + 1,
          leased,
        },
  nodeIds: leased === undefined ? null : row.nodeIds,
})

/** Registers a network of the nodes with the addresses available to guests. */
export async function registerNetwork(ctx: Ctx, given: RegisterVmNetwork): Promise<VmNetwork> {
  const { subnet, ...ranges } = readRanges(given)
  try {
    return await ctx.transaction(async (ctx) => {
      const nodes = await findNodes(ctx.db, given.nodeIds)
      if (nodes.length !== new Set(given.nodeIds).size)
        throw invalid([{ pointer: '/nodeIds', detail: 'names a node that does not exist' }])
      // Under the table lock, because overlap cannot be a unique constraint.
      requireNoOverlap(await lockNetworks(ctx.db), given, subnet)
      const id = randomUUIDv7()
      const row = await insertNetwork(ctx.db, {
        id,
        name: given.name,
        mode: given.mode,
        libvirtName: given.libvirtName,
        // Network device names have at most 15 characters; the random end of the id is unique
        // enough.
        bridge: given.mode === 'nat' ? `lg${id.replaceAll('-', '').slice(-10)}` : null,
        subnet: subnet.from,
        prefixLength: subnet.prefixLength,
        dns: given.dns,
        nodeIds: [...new Set(given.nodeIds)],
        ...ranges,
      })
      return describeNetwork(row, 0)
    })
  } catch (error) {
    if (!isDuplicate(error, 'vm_networks_name')) throw error
    throw new Problem('duplicate', 'A network with this name already exists: choose another name', {
      fields: { errors: [{ pointer: '/name', detail: 'is taken' }] },
    })
  }
}

function readRanges(given: RegisterVmNetwork) {
  const subnet = subnetOf(given.subnet)
  if (subnet.prefixLength < 8 || subnet.prefixLength > 30)
    throw invalid([{ pointer: '/subnet', detail: 'must have a prefix of 8 to 30 bits' }])
  const gateway = given.gateway === undefined ? subnet.from + 1 : toNumber(given.gateway)
  const [poolFrom, poolTo] = [toNumber(given.poolFrom), toNumber(given.poolTo)]
  const isHost = (address: number) => address > subnet.from && address < subnet.to
  const faults = [
    !isHost(gateway) && { pointer: '/gateway', detail: 'must be an address of the subnet' },
    !isHost(poolFrom) && { pointer: '/poolFrom', detail: 'must be an address of the subnet' },
    !isHost(poolTo) && { pointer: '/poolTo', detail: 'must be an address of the subnet' },
    poolFrom > poolTo && { pointer: '/poolTo', detail: 'must not be before the first address' },
    gateway >= poolFrom &&
      gateway <= poolTo && { pointer: '/poolFrom', detail: 'the pool must not hold the gateway' },
  ].filter((fault) => fault !== false)
  if (faults.length > 0) throw invalid(faults)
  return { subnet, gateway, poolFrom, poolTo }
}

/** Two networks that may be on the same node must differ in name and addresses. */
function requireNoOverlap(
  present: readonly NetworkRow[],
  given: RegisterVmNetwork,
  subnet: Subnet,
): void {
  const shared = (ids: readonly string[]) =>
    ids.length === 0 || given.nodeIds.length === 0 || ids.some((id) => given.nodeIds.includes(id))
  for (const other of present.filter((row) => shared(row.nodeIds))) {
    if (other.libvirtName === given.libvirtName)
      throw new Problem(
        'duplicate',
        `${other.name} is this network of libvirt already: give it to other nodes, or use that one`,
        { fields: { errors: [{ pointer: '/libvirtName', detail: 'is registered already' }] } },
      )
    if (overlap(subnetOfRow(other), subnet))
      throw new Problem('duplicate', `The addresses overlap with those of ${other.name}`, {
        fields: { errors: [{ pointer: '/subnet', detail: 'overlaps with another network' }] },
      })
  }
}

/** Machines that have an address in it keep it. */
export async function setNetwork(ctx: Ctx, row: NetworkRow, offer: Offer): Promise<VmNetwork> {
  const next = { customerVisible: row.customerVisible, ...offer }
  await offerNetwork(ctx.db, row.id, next)
  const counts = await ctx.catalogue.answers.to(leaseCounts)(ctx.db)
  return describeNetwork({ ...row, ...next }, counts.get(row.id) ?? 0)
}

/**
 * Removes a network without machines. A bridge made by Lodge is removed with its last machine on
 * each node.
 */
export const removeNetwork = (ctx: Ctx, row: NetworkRow): Promise<void> =>
  ctx.transaction((ctx) => requireUnused(ctx, 'network', row, () => deleteNetwork(ctx.db, row.id)))
