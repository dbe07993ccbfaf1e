import { randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto'
import { creationAsks } from '@lodge/shared/limits/asks.ts'
import { type CreateServer, DEFAULT_CRASH_POLICY } from '@lodge/shared/servers.ts'
import type { CreateVm } from '@lodge/shared/vms.ts'
import type { Ctx } from '../../../context.ts'
import { invalid } from '../../../http/input.ts'
import { lockOwner } from '../../customers/index.ts'
import { quotaOf } from '../../limits/index.ts'
import { oneMoreRunning } from '../desired-state/desired-state.ts'
import { candidatesFor, takeNetwork } from '../machine/place.ts'
import { findParts, hostnameFrom, seedOf, shapeOf } from '../machine/shape.ts'
import { machineSpecOf } from '../machine/spec.ts'
import { insertMachine, leaseAddress } from '../machine/store.ts'
import { beginCreation, byNode } from '../operation.ts'
import { insertPorts } from '../port-store.ts'
import { takePorts } from '../ports/take-ports.ts'
import { waitToStart } from '../power/waiting-start.ts'
import { insertServer } from '../store.ts'
import { requireUnsuspended } from './require-unsuspended.ts'
import { reservePlace } from './reserve-place.ts'

interface MachineCreation {
  readonly selfService: boolean
  readonly subscriptionId?: string | undefined
  /** The hash of the first password of its user. */
  readonly passwordHash?: string | undefined
}

/**
 * Creates a virtual machine: capacity, address, port and desired state are reserved in one
 * transaction. The node does the rest and the job reports the outcome. It is placed only where it
 * can run.
 */
export async function provisionMachine(
  ctx: Ctx,
  given: CreateServer & { readonly vm: CreateVm },
  { selfService, subscriptionId, passwordHash }: MachineCreation,
): Promise<{ serverId: string; jobId: string }> {
  const owner = await lockOwner(ctx.db, given.ownerId)
  if (!owner) throw invalid([{ pointer: '/ownerId', detail: 'is not an account' }])
  requireUnsuspended(owner)
  const { vm } = given
  const parts = await findParts(ctx.db, given, selfService)
  const { size, vcpus, disks } = shapeOf(given, vm, parts)
  const { nodes, networks } = await candidatesFor(ctx.db, given, parts, selfService)
  const among = nodes.map((node) => node.id)
  const quota = await quotaOf(ctx, owner)
  const { nodeId, location, force } = given
  const wanted = { workload: 'machine', nodeId, location, among, unnamed: selfService } as const
  const place = await reservePlace(ctx.db, quota, wanted, size, force)
  const at = { template: parts.profile.id, location: place.location }
  const of = { subscriptionId: subscriptionId ?? null }
  await quota.require((usage) => creationAsks(usage, size, at), { force, selfService, of })
  const id = randomUUIDv7()
  const { network, address } = await takeNetwork(ctx, place.nodeId, nodes, networks)
  const { guestPort } = vm
  const need = { offset: 0, container: guestPort, protocol: 'tcp' as const, label: null }
  const ports = takePorts(id, place, [need], given.port)
  // A server that may not run now is created anyway and starts when the limits allow it.
  const wantsStart = given.start ?? true
  const start = wantsStart && (await quota.admits(oneMoreRunning, { force, of }))
  const draft = { id, name: given.name, ownerId: owner.id, nodeId: place.nodeId, ...size }
  const hostname = hostnameFrom(given.name, vm.source)
  const seed = seedOf(vm.source, hostname)
  const machine = {
    serverId: id,
    uuid: randomUUID(),
    hostname,
    profileId: parts.profile.id,
    networkId: network.id,
    address,
    mac: freshMac(),
    vcpus,
    disks,
    mediumId: parts.medium?.id ?? null,
    imageId: parts.image?.id ?? null,
    seed: seed && passwordHash !== undefined ? { ...seed, passwordHash } : seed,
    bootOrder: ['disk' as const, 'cdrom' as const],
    natRules: ports.map(({ hostPort }) => ({ protocol: 'tcp' as const, hostPort, guestPort })),
    // A guest without an agent is stopped through its power button.
    stop: {
      by: parts.profile.hardware.guestAgent ? ('agent' as const) : ('acpi' as const),
      timeoutSeconds: 120,
    },
  }
  const row = {
    ...draft,
    kind: 'vm',
    variables: {},
    crashPolicy: DEFAULT_CRASH_POLICY,
    desiredPower: start ? 'on' : 'off',
    desiredRun: start ? 1 : 0,
    desiredSpec: await machineSpecOf(ctx.db, draft, machine),
    generation: 1,
    ...(subscriptionId !== undefined && { subscriptionId }),
  } as const
  await insertServer(ctx.db, row)
  await insertMachine(ctx.db, machine)
  await leaseAddress(ctx.db, network.id, id, address)
  await insertPorts(ctx.db, ports)
  const { jobId } = await beginCreation(ctx, row, {
    title: `Create ${row.name}`,
    work: byNode('server.create', ['Prepare the image', 'Install', ...(start ? ['Start'] : [])]),
  })
  if (wantsStart && !start) await waitToStart(ctx, row)
  return { serverId: id, jobId }
}

/**
 * A random MAC address in QEMU's range; collisions are possible, and a unique index catches them.
 */
const freshMac = (): string => `52:54:00:${randomBytes(3).toString('hex').match(/../g)?.join(':')}`
