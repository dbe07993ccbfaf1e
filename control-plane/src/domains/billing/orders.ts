import { randomUUIDv7 } from 'node:crypto'
import type { StartCheckout } from '@lodge/shared/billing/billing.ts'
import type { ServerPreset } from '@lodge/shared/plans.ts'
import type { VmSource } from '@lodge/shared/vms.ts'
import { encrypt } from 'unixcrypt'
import type { Ctx } from '../../context.ts'
import { invalid } from '../../http/input.ts'
import { findNode, havingStorage, reserveNode, resizeReservation } from '../nodes/index.ts'
import {
  announceDesired,
  createServer,
  findServer,
  findSource,
  idOfSubscription,
  keepMachinePlace,
  liftPlanServer,
  lockServer,
  resizePlanServer,
} from '../servers/index.ts'
import { findTemplate } from '../templates/index.ts'
import { findMedium } from '../virtualization/index.ts'
import { giveGrowthBack } from './growth.ts'
import * as store from './subscription-store.ts'

const sizeOf = ({ memoryMb, cpuPercent, diskMb }: ServerPreset) => ({
  ...{ memoryMb, cpuPercent, diskMb },
})
const negative = (preset: ServerPreset) => ({
  memoryMb: -preset.memoryMb,
  cpuPercent: -preset.cpuPercent,
  diskMb: -preset.diskMb,
})

type Wanted = NonNullable<StartCheckout['server']>

const wrong = (field: string, detail: string) => invalid([{ pointer: `/server/${field}`, detail }])

/** Reserves the capacity for a plan's server, so that nothing is sold that does not fit. */
export async function reserveOrder(
  ctx: Ctx,
  subscriptionId: string,
  preset: ServerPreset,
  wanted: Wanted,
): Promise<void> {
  const { name, templateId, location } = wanted
  if (!preset.templateIds.includes(templateId))
    throw wrong('templateId', 'is not offered with this plan')
  const offered = preset.locations
  if (location !== undefined && offered !== 'any' && !offered.includes(location))
    throw wrong('location', 'is not offered with this plan')
  const within =
    location !== undefined ? { location } : offered === 'any' ? {} : { locations: offered }
  const { storageId } = preset
  // Without a node that has the storage, nothing is sold.
  const at = {
    ...within,
    ...(storageId !== undefined && { among: await havingStorage(ctx.db, storageId) }),
  }
  const place = preset.vm
    ? await keepMachine(ctx, preset, preset.vm, wanted, at)
    : await keepContainer(ctx, preset, wanted, at)
  await store.insertOrder(ctx.db, {
    ...{ id: randomUUIDv7(), subscriptionId, name, templateId, preset },
    ...{ location: location ?? null, ...place, state: 'reserved' },
  })
}

interface Where {
  readonly location?: string
  readonly locations?: readonly string[]
  readonly among?: readonly string[]
}
type Kept = Pick<store.OrderRow, 'nodeId'> & Partial<Pick<store.OrderRow, 'machine'>>

async function keepContainer(
  ctx: Ctx,
  preset: ServerPreset,
  { templateId, vm }: Wanted,
  at: Where,
): Promise<Kept> {
  if (vm) throw wrong('vm', 'comes with no such plan')
  if (!(await findTemplate(ctx.db, templateId)))
    throw wrong('templateId', 'is not offered with this plan')
  const place = { workload: 'container', unnamed: true, ...at } as const
  return { nodeId: (await reserveNode(ctx.db, place, sizeOf(preset))).nodeId }
}

async function keepMachine(
  ctx: Ctx,
  preset: ServerPreset,
  { networkId, vcpus, mediaIds }: NonNullable<ServerPreset['vm']>,
  { templateId, vm }: Wanted,
  at: Where,
): Promise<Kept> {
  if (!vm) throw wrong('vm', 'is missing')
  const { mediumId, user, sshKeys, password } = vm
  if (!mediaIds.includes(mediumId)) throw wrong('vm/mediumId', 'is not offered with this plan')
  const isImage = (await findMedium(ctx.db, mediumId))?.kind !== 'iso'
  if (isImage && sshKeys.length === 0 && password === undefined)
    throw wrong('vm/sshKeys', 'nobody could sign in: give an SSH key or a first password')
  const machine = {
    ...{ mediumId, isImage, user, sshKeys, networkId },
    passwordHash: isImage && password !== undefined ? encrypt(password) : null,
  }
  const source = sourceOf(machine)
  await findSource(ctx.db, source, '/server/vm')
  const wanted = { ...sizeOf(preset), templateId, vcpus, source }
  const place = await keepMachinePlace(ctx, { ...wanted, networkId: networkId ?? undefined }, at)
  return { nodeId: place.nodeId, machine: { ...machine, networkId: place.networkId } }
}

/** The source of a bought machine; of the user's password only the hash is known. */
const sourceOf = ({ mediumId, isImage, user, sshKeys }: store.OrderedMachine): VmSource =>
  isImage
    ? { kind: 'image', mediumId, seed: { user, sshKeys: [...sshKeys], packages: [] } }
    : { kind: 'iso', mediumId }

/** Frees what an order reserved, unless the server has taken it over. */
export async function releaseOrder(ctx: Ctx, order: store.OrderRow | undefined): Promise<void> {
  if (!order) return
  await giveGrowthBack(ctx, order)
  if (order.state === 'made' || order.state === 'released') return
  await giveBack(ctx, order)
  await store.updateOrder(ctx.db, order.id, {
    state: 'released',
    nodeId: null,
    nextAt: null,
    machine: null,
  })
}

/** Frees the capacity of an order on its node, if that still exists. */
async function giveBack(ctx: Ctx, { id, nodeId, preset }: store.OrderRow): Promise<void> {
  if (nodeId === null) return
  if (await findNode(ctx.db, nodeId)) await resizeReservation(ctx.db, nodeId, negative(preset), -1)
  await store.updateOrder(ctx.db, id, { nodeId: null })
}

/** Has the server of a subscription created. */
export async function fulfilOrder(ctx: Ctx, now: Date, subscriptionId: string): Promise<void> {
  const order = await store.lockOrder(ctx.db, subscriptionId)
  if (order?.state === 'reserved')
    await store.updateOrder(ctx.db, order.id, { state: 'waiting', nextAt: now })
  // One that existed before was off until now.
  await liftPlanServer(ctx, subscriptionId)
}

/** Gives the server of an order the size of another plan. */
export async function resizeOrder(
  ctx: Ctx,
  now: Date,
  subscriptionId: string,
  preset: ServerPreset,
): Promise<void> {
  const order = await store.lockOrder(ctx.db, subscriptionId)
  if (!order || order.state === 'released') return
  // The reservation for a server that does not exist yet has the size of the former plan.
  const nodeId = order.nodeId
  if (nodeId !== null && (await findNode(ctx.db, nodeId))) {
    await giveGrowthBack(ctx, order)
    await resizeReservation(ctx.db, nodeId, difference(order.preset, preset))
  }
  await store.updateOrder(ctx.db, order.id, {
    preset,
    ...(order.state !== 'reserved' && { state: 'waiting', attempts: 0, nextAt: now }),
  })
  // The node learns at once which schedules it still runs on its own.
  const serverId = await idOfSubscription(ctx.db, subscriptionId)
  const server = serverId === undefined ? undefined : await findServer(ctx.db, serverId)
  if (server) await announceDesired(ctx, server)
}

const difference = (from: ServerPreset, to: ServerPreset) => ({
  memoryMb: to.memoryMb - from.memoryMb,
  cpuPercent: to.cpuPercent - from.cpuPercent,
  diskMb: to.diskMb - from.diskMb,
})

/** After this many attempts on the reserved node, other nodes are allowed. */
const ATTEMPTS_THERE = 2

/**
 * Creates the server of an order on the node reserved for it: the server takes the reservation over
 * in one transaction, which locks the node. A server that exists is resized to the order.
 */
export async function makeServer(
  ctx: Ctx,
  ownerId: string,
  subscriptionId: string,
  order: store.OrderRow,
): Promise<void> {
  const { preset, name, templateId, nodeId, machine } = order
  const serverId = await idOfSubscription(ctx.db, subscriptionId)
  if (serverId !== undefined) {
    await lockServer(ctx.db, serverId)
    await giveGrowthBack(ctx, order)
    await resizePlanServer(ctx, serverId, preset)
  } else {
    await giveGrowthBack(ctx, order)
    await giveBack(ctx, order)
    const location = order.location ?? locationOf(order)
    const there = nodeId !== null && order.attempts < ATTEMPTS_THERE
    const passwordHash = machine?.passwordHash ?? undefined
    await createServer(
      ctx,
      {
        ...{ name, ownerId, templateId, storageId: preset.storageId, ...sizeOf(preset) },
        ...(there ? { nodeId } : location !== undefined ? { location } : {}),
        ...(machine && preset.vm && { vm: machineOf(machine, preset.vm, there) }),
      },
      { subscriptionId, passwordHash },
    )
  }
  await store.updateOrder(ctx.db, order.id, {
    ...{ state: 'made', nodeId: null, nextAt: null, failure: null },
    // The password hash is no longer needed.
    ...(machine && { machine: { ...machine, passwordHash: null } }),
  })
}

/** The location of the plan to try now, if it has any: each in turn once its reserved node was given up. */
function locationOf({ preset, attempts }: store.OrderRow): string | undefined {
  if (preset.locations === 'any') return undefined
  return preset.locations[Math.max(0, attempts - ATTEMPTS_THERE) % preset.locations.length]
}

/** On another node than the reserved one, another network may fit. */
const machineOf = (
  machine: store.OrderedMachine,
  { networkId, vcpus }: NonNullable<ServerPreset['vm']>,
  there: boolean,
) => ({
  networkId: (there ? machine.networkId : networkId) ?? undefined,
  ...{ source: sourceOf(machine), vcpus, extraDisks: [], guestPort: 22 },
})
