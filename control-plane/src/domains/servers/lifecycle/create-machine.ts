import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { creationAsks } from '@lodge/shared/limits/asks.ts'
import type { CreateServer } from '@lodge/shared/servers.ts'
import type { Ctx } from '../../../context.ts'
import type { Db } from '../../../db/database.ts'
import { invalid } from '../../../http/input.ts'
import { lockOwner } from '../../customers/index.ts'
import { quotaOf } from '../../limits/index.ts'
import { oneMoreRunning } from '../desired-state/desired-state.ts'
import { insertHold } from '../hold-store.ts'
import type { MachineDraft } from '../machine/draft.ts'
import { candidatesFor, takeNetwork } from '../machine/place.ts'
import { machineSpecOf } from '../machine/spec.ts'
import { freshMac, insertMachine, leaseAddress } from '../machine/store.ts'
import { beginCreation, byNode, type Operation } from '../operation.ts'
import { insertPorts } from '../port-store.ts'
import { takePorts } from '../ports/take-ports.ts'
import { waitToStart } from '../power/waiting-start.ts'
import { insertServer } from '../store.ts'
import { requireExtraPorts } from './extra-ports.ts'
import { nodesWithStorage } from './on-storage.ts'
import { requireUnsuspended } from './require-unsuspended.ts'
import { reservePlace } from './reserve-place.ts'

interface MachineCreation {
  readonly draft: (db: Db) => Promise<MachineDraft>
  readonly selfService: boolean
  readonly subscriptionId?: string | undefined
  /** Hash of the first password of its user. */
  readonly passwordHash?: string | undefined
  readonly operation?: Pick<Operation, 'title' | 'hold' | 'work'> | undefined
}

/**
 * Creates a virtual machine: capacity, address, ports and desired state are reserved in one
 * transaction. The node does the rest and the job reports the outcome. It is placed only where it
 * can run.
 */
export async function provisionMachine(
  ctx: Ctx,
  given: Pick<
    CreateServer,
    'name' | 'ownerId' | 'nodeId' | 'location' | 'port' | 'start' | 'force' | 'storageId'
  >,
  { draft: drafted, selfService, subscriptionId, passwordHash, operation }: MachineCreation,
): Promise<{ serverId: string; jobId: string; warnings: string[] }> {
  const owner = await lockOwner(ctx.db, given.ownerId)
  if (!owner) throw invalid([{ pointer: '/ownerId', detail: 'is not an account' }])
  requireUnsuspended(owner)
  const draft = await drafted(ctx.db)
  const { parts, size } = draft
  const having = given.storageId && (await nodesWithStorage(ctx.db, given.storageId, given.nodeId))
  const asked = { ...given, ...(having && { among: having }) }
  const { nodes, networks } = await candidatesFor(ctx.db, asked, draft, selfService)
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
  const extra = draft.ports.filter(({ offset }) => offset > 0).length
  await requireExtraPorts(quota, extra, force)
  const ports = takePorts(id, place, draft.ports, given.port)
  // A server that may not run now is created anyway and starts when the limits allow it.
  const wantsStart = given.start ?? true
  const start = wantsStart && (await quota.admits(oneMoreRunning, { force, of }))
  const about = {
    id,
    name: given.name,
    ownerId: owner.id,
    nodeId: place.nodeId,
    storageId: given.storageId === undefined ? place.defaultStorageId : given.storageId,
    ...size,
  }
  const { seed } = draft.machine
  const machine = {
    ...draft.machine,
    seed: seed && passwordHash !== undefined ? { ...seed, passwordHash } : seed,
    serverId: id,
    uuid: randomUUID(),
    profileId: parts.profile.id,
    networkId: network.id,
    address,
    mac: await freshMac(ctx.db),
    mediumId: parts.medium?.id ?? null,
    imageId: parts.image?.id ?? null,
    natRules: draft.natRules(ports),
  }
  const row = {
    ...about,
    ...draft.labels,
    kind: 'vm',
    variables: {},
    desiredPower: start ? 'on' : 'off',
    desiredRun: start ? 1 : 0,
    desiredSpec: await machineSpecOf(ctx.db, about, machine),
    generation: 1,
    ...(subscriptionId !== undefined && { subscriptionId }),
  } as const
  await insertServer(ctx.db, row)
  await insertMachine(ctx.db, machine)
  await leaseAddress(ctx.db, network.id, id, address)
  await insertPorts(ctx.db, ports)
  const { title, hold, work }: Omit<Operation, 'desired'> = operation ?? {
    title: `Create ${row.name}`,
    work: byNode('server.create', [
      'Prepare the image',
      'Install',
      ...(start ? (['Start'] as const) : []),
    ]),
  }
  if (hold) await insertHold(ctx.db, id, hold.kind, hold.cause)
  const { jobId } = await beginCreation(ctx, row, { title, work })
  if (wantsStart && !start) await waitToStart(ctx, row)
  const preferred = draft.preferredNetworkId
  const elsewhere = preferred !== undefined && preferred !== network.id
  return {
    serverId: id,
    jobId,
    warnings: elsewhere
      ? [`It is in the network ${network.name}: the one of the original is not open there`]
      : [],
  }
}
