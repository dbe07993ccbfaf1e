import { randomUUIDv7 } from 'node:crypto'
import type { ServerPreset } from '@lodge/shared/plans.ts'
import type { Ctx } from '../../context.ts'
import { invalid } from '../../http/input.ts'
import { findNode, reserveNode, resizeReservation } from '../nodes/index.ts'
import { createServer, editServer, idOfSubscription } from '../servers/index.ts'
import { findTemplate } from '../templates/index.ts'
import * as store from './subscription-store.ts'

const sizeOf = ({ memoryMb, cpuPercent, diskMb }: ServerPreset) => ({
  ...{ memoryMb, cpuPercent, diskMb },
})
const negative = (preset: ServerPreset) => ({
  memoryMb: -preset.memoryMb,
  cpuPercent: -preset.cpuPercent,
  diskMb: -preset.diskMb,
})

interface Wanted {
  readonly name: string
  readonly templateId: string
  readonly location?: string | undefined
}

/** Takes the capacity of a plan's server, so that nothing is sold that has no place. */
export async function reserveOrder(
  ctx: Ctx,
  subscriptionId: string,
  preset: ServerPreset,
  { name, templateId, location }: Wanted,
): Promise<void> {
  if (!preset.templateIds.includes(templateId) || !(await findTemplate(ctx.db, templateId)))
    throw invalid([{ pointer: '/server/templateId', detail: 'is not offered with this plan' }])
  const offered = preset.locations
  if (location !== undefined && offered !== 'any' && !offered.includes(location))
    throw invalid([{ pointer: '/server/location', detail: 'is not offered with this plan' }])
  const place = await reserveNode(
    ctx.db,
    {
      workload: 'container',
      unnamed: true,
      ...(location !== undefined ? { location } : offered === 'any' ? {} : { locations: offered }),
    },
    sizeOf(preset),
  )
  await store.insertOrder(ctx.db, {
    ...{ id: randomUUIDv7(), subscriptionId, name, templateId, preset },
    ...{ location: location ?? null, nodeId: place.nodeId, state: 'reserved' },
  })
}

/** Gives back what an order took, unless the server has it by now. */
export async function releaseOrder(ctx: Ctx, order: store.OrderRow | undefined): Promise<void> {
  if (!order || order.state === 'made' || order.state === 'released') return
  await giveBack(ctx, order)
  await store.updateOrder(ctx.db, order.id, { state: 'released', nodeId: null, nextAt: null })
}

/** Returns the capacity that is kept for an order to its node, if that still exists. */
async function giveBack(ctx: Ctx, { nodeId, preset }: store.OrderRow): Promise<void> {
  if (nodeId !== null && (await findNode(ctx.db, nodeId)))
    await resizeReservation(ctx.db, nodeId, negative(preset), -1)
}

/** The server of a subscription is to be made. */
export async function fulfilOrder(ctx: Ctx, now: Date, subscriptionId: string): Promise<void> {
  const order = await store.lockOrder(ctx.db, subscriptionId)
  if (order?.state === 'reserved')
    await store.updateOrder(ctx.db, order.id, { state: 'waiting', nextAt: now })
}

/** Another plan was chosen: the server gets its size. */
export async function resizeOrder(
  ctx: Ctx,
  now: Date,
  subscriptionId: string,
  preset: ServerPreset,
): Promise<void> {
  const order = await store.lockOrder(ctx.db, subscriptionId)
  if (order?.state === 'made')
    await store.updateOrder(ctx.db, order.id, {
      preset,
      state: 'waiting',
      attempts: 0,
      nextAt: now,
    })
}

/** After so many attempts in the place that was kept, others will do. */
const ATTEMPTS_THERE = 2

/**
 * Makes the server of an order in the place that was kept for it: the capacity changes hands within
 * the transaction, in which the node is locked. One that exists gets the size of the order.
 */
export async function makeServer(
  ctx: Ctx,
  ownerId: string,
  subscriptionId: string,
  order: store.OrderRow,
): Promise<void> {
  const { preset, name, templateId, nodeId } = order
  const serverId = await idOfSubscription(ctx.db, subscriptionId)
  if (serverId !== undefined) await editServer(ctx, serverId, sizeOf(preset))
  else {
    await giveBack(ctx, order)
    const any = preset.locations === 'any' ? undefined : preset.locations[0]
    const location = order.location ?? any
    const there = nodeId !== null && order.attempts < ATTEMPTS_THERE
    await createServer(
      ctx,
      {
        ...{ name, ownerId, templateId, ...sizeOf(preset) },
        ...(there ? { nodeId } : location !== undefined ? { location } : {}),
      },
      { subscriptionId },
    )
  }
  await store.updateOrder(ctx.db, order.id, {
    ...{ state: 'made', nodeId: null, nextAt: null, failure: null },
  })
}
