import type { MachineSpec } from '@lodge/shared/machine-spec.ts'
import type { Db } from '../../../db/database.ts'
import { findNode } from '../../nodes/index.ts'
import {
  findMedium,
  findNetwork,
  findProfile,
  mediumRef,
  toAddress,
} from '../../virtualization/index.ts'
import type { ServerRow } from '../tables.ts'
import { findMachine } from './store.ts'
import type { MachineRow } from './tables.ts'

type Size = Pick<ServerRow, 'id' | 'ownerId' | 'nodeId' | 'memoryMb' | 'cpuPercent' | 'storageId'>

/** The complete spec for the node, from the machine's parts. */
export async function machineSpecOf(
  db: Db,
  server: Size,
  machine: MachineRow,
): Promise<MachineSpec> {
  const [profile, network, node] = [
    await findProfile(db, machine.profileId),
    await findNetwork(db, machine.networkId),
    await findNode(db, server.nodeId),
  ]
  if (!profile || !network || !node) throw new Error(`the machine ${server.id} lacks a part`)
  const medium = machine.mediumId ? await findMedium(db, machine.mediumId) : undefined
  const image = machine.imageId ? await findMedium(db, machine.imageId) : undefined
  return {
    kind: 'machine',
    uuid: machine.uuid,
    ownerId: server.ownerId,
    hostname: machine.hostname,
    emulationAllowed: node.vmEmulation,
    profile: profile.hardware,
    vcpus: machine.vcpus,
    memoryMb: server.memoryMb,
    cpuPercent: server.cpuPercent,
    disks: machine.disks,
    ...(server.storageId !== null && { storage: server.storageId }),
    medium: medium ? mediumRef(medium) : null,
    bootOrder: machine.bootOrder,
    source:
      image && machine.seed
        ? { kind: 'image', image: mediumRef(image), seed: machine.seed }
        : { kind: 'blank' },
    network: {
      mode: network.mode,
      name: network.libvirtName,
      bridge: network.bridge,
      mac: machine.mac,
      address: toAddress(machine.address),
      prefixLength: network.prefixLength,
      gateway: toAddress(network.gateway),
      dns: network.dns,
    },
    natRules: machine.natRules,
    stop: machine.stop,
    // For an arbitrary operating system, the only check is that the machine stays up.
    proofOfLife: { patterns: [], stripAnsi: true, stayUpSeconds: 2, timeoutSeconds: 120 },
  }
}

/**
 * Rebuilds the spec of a virtual machine.
 * @throws if the server is not one
 */
export async function respecMachine(db: Db, server: Size): Promise<MachineSpec> {
  const machine = await findMachine(db, server.id)
  if (!machine) throw new Error(`the server ${server.id} is no machine`)
  return machineSpecOf(db, server, machine)
}
