import type { Vm, VmSnapshot } from '@lodge/shared/vms.ts'
import type { Ctx } from '../../context.ts'
import { notFound } from '../../problem.ts'
import { findNode, joinedNodes, nameOfStorage } from '../nodes/index.ts'
import { findMachine, findServer, listPorts, type ServerView } from '../servers/index.ts'
import {
  describeProfile,
  findMedium,
  findNetwork,
  findProfile,
  toAddress,
} from '../virtualization/index.ts'
import { requireVm } from './access.ts'
import { whyNotChangeable } from './changeable.ts'
import { listSnapshots } from './store.ts'
import type { SnapshotRow } from './tables.ts'

export const describeSnapshot = (row: SnapshotRow): VmSnapshot => ({
  id: row.id,
  name: row.name,
  state: row.state,
  createdAt: row.createdAt.toISOString(),
  sizeBytes: row.sizeBytes,
  diskMb: row.diskMb,
  has: { firmware: row.hasFirmware, tpm: row.hasTpm },
})

/** Hardware, disks, network and snapshots of a machine, without contacting the node. */
export async function describeVm(ctx: Ctx, server: ServerView): Promise<Vm> {
  requireVm(server)
  const { db } = ctx
  const [row, machine] = [await findServer(db, server.id), await findMachine(db, server.id)]
  const profile = machine && (await findProfile(db, machine.profileId))
  const network = machine && (await findNetwork(db, machine.networkId))
  if (!row || !machine || !profile || !network) throw notFound('server')
  const medium = machine.mediumId ? await findMedium(db, machine.mediumId) : undefined
  const image = machine.imageId ? await findMedium(db, machine.imageId) : undefined
  const node = await findNode(db, row.nodeId)
  const ports = await listPorts(db, row.id)
  const why = whyNotChangeable(server)
  return {
    uuid: machine.uuid,
    hostname: machine.hostname,
    profile: describeProfile(profile),
    vcpus: machine.vcpus,
    memoryMb: row.memoryMb,
    cpuPercent: row.cpuPercent,
    disks: machine.disks,
    storage: row.storageId && (await storageName(ctx, row.storageId)),
    medium: medium ? { id: medium.id, name: medium.name, kind: medium.kind } : null,
    image: image ? { id: image.id, name: image.name } : null,
    user: machine.seed?.user ?? null,
    bootOrder: machine.bootOrder,
    network: {
      id: network.id,
      name: network.name,
      mode: network.mode,
      address: toAddress(machine.address),
      prefixLength: network.prefixLength,
      gateway: toAddress(network.gateway),
      dns: network.dns,
      mac: machine.mac,
    },
    ports: ports.map(({ hostPort, offset }) => ({
      hostPort,
      offset,
      rules: machine.natRules.filter((rule) => rule.hostPort === hostPort),
    })),
    hostAddress: node?.address ?? node?.remoteAddress ?? null,
    kvm: node?.virtualization?.kvm ?? null,
    bootWaitsFor: row.desiredPower === 'on' ? row.bootWaitsFor : null,
    snapshots: (await listSnapshots(db, row.id)).map(describeSnapshot),
    changeable: { now: why === null, why },
  }
}

/** While no node has it, only its id is known. */
const storageName = async ({ db }: Ctx, id: string): Promise<string> =>
  nameOfStorage(await joinedNodes(db), id) ?? id
