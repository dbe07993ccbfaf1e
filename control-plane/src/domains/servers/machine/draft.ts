import { randomUUID } from 'node:crypto'
import type { NatRule } from '@lodge/shared/machine-spec.ts'
import { type CreateServer, DEFAULT_CRASH_POLICY } from '@lodge/shared/servers.ts'
import type { portsNeeded } from '@lodge/shared/templates/resolve.ts'
import type { CreateVm } from '@lodge/shared/vms.ts'
import type { Db } from '../../../db/database.ts'
import { Problem } from '../../../problem.ts'
import type { Size } from '../../nodes/index.ts'
import { findMedium, findProfile } from '../../virtualization/index.ts'
import { listPorts } from '../port-store.ts'
import type { PortRow, ServerRow } from '../tables.ts'
import { findParts, hostnameFrom, type Parts, seedOf, shapeOf } from './shape.ts'
import { findMachine } from './store.ts'
import type { MachineRow } from './tables.ts'

/** The definition of a machine before it has a node. */
export interface MachineDraft {
  readonly parts: Parts
  readonly size: Size
  readonly machine: Pick<MachineRow, 'hostname' | 'vcpus' | 'disks' | 'seed' | 'bootOrder' | 'stop'>
  readonly ports: ReturnType<typeof portsNeeded>
  /** Forwarding rules from the host ports that it gets for these. */
  natRules(ports: readonly PortRow[]): NatRule[]
  /** The only network allowed; undefined: any that its node has. */
  readonly networkId: string | undefined
  /** The network to use if its node has it. */
  readonly preferredNetworkId: string | undefined
  readonly labels: Pick<ServerRow, 'icon' | 'tags' | 'crashPolicy'>
}

/** @param selfService for a customer, who may use only what is released to customers */
export async function draftOf(
  db: Db,
  given: CreateServer & { readonly vm: CreateVm },
  selfService: boolean,
): Promise<MachineDraft> {
  const { vm } = given
  const parts = await findParts(db, given, selfService)
  const { size, vcpus, disks } = shapeOf(given, vm, parts)
  const named = vm.source.kind === 'image' ? vm.source.seed.hostname : undefined
  const hostname = named ?? hostnameFrom(given.name)
  return {
    parts,
    size,
    machine: {
      hostname,
      vcpus,
      disks,
      seed: seedOf(vm.source, hostname),
      bootOrder: ['disk', 'cdrom'],
      // A guest without an agent is stopped through its power button.
      stop: { by: parts.profile.hardware.guestAgent ? 'agent' : 'acpi', timeoutSeconds: 120 },
    },
    ports: [{ offset: 0, container: vm.guestPort, protocol: 'tcp', label: null }],
    natRules: (made) =>
      made.map(({ hostPort }) => ({ protocol: 'tcp', hostPort, guestPort: vm.guestPort })),
    networkId: vm.networkId,
    preferredNetworkId: undefined,
    labels: { icon: null, tags: [], crashPolicy: DEFAULT_CRASH_POLICY },
  }
}

/**
 * A machine with the hardware, disks, medium and guest ports of another one, but its own name and
 * identity: the guest applies its seed again.
 * @throws {Problem} invalid_state
 */
export async function draftLike(db: Db, row: ServerRow, name: string): Promise<MachineDraft> {
  const machine = await findMachine(db, row.id)
  const profile = machine && (await findProfile(db, machine.profileId))
  if (!machine || !profile) throw new Error(`the server ${row.id} is no machine`)
  if (!profile.enabled)
    throw new Problem(
      'invalid_state',
      `The hardware profile ${profile.name} is not enabled for new machines: enable it first`,
    )
  const hostname = hostnameFrom(name)
  const { vcpus, disks, bootOrder, stop, seed, mediumId, imageId, networkId, natRules } = machine
  const { memoryMb, cpuPercent, diskMb } = row
  const ports = await listPorts(db, row.id)
  return {
    parts: {
      profile,
      medium: mediumId === null ? null : ((await findMedium(db, mediumId)) ?? null),
      image: imageId === null ? null : ((await findMedium(db, imageId)) ?? null),
    },
    size: { memoryMb, cpuPercent, diskMb },
    machine: {
      ...{ hostname, vcpus, disks, bootOrder, stop },
      seed: seed && { ...seed, hostname, instanceId: randomUUID() },
    },
    ports: ports.map(({ offset, containerPort, protocol, label }) => ({
      ...{ offset, protocol, label },
      container: containerPort,
    })),
    natRules: (made) =>
      natRules.flatMap((rule) => {
        const offset = ports.find(({ hostPort }) => hostPort === rule.hostPort)?.offset
        const hostPort = made.find((port) => port.offset === offset)?.hostPort
        return hostPort === undefined ? [] : [{ ...rule, hostPort }]
      }),
    networkId: undefined,
    preferredNetworkId: networkId,
    labels: { icon: row.icon, tags: row.tags, crashPolicy: row.crashPolicy },
  }
}
