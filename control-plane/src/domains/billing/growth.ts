import type { ServerPreset } from '@lodge/shared/plans.ts'
import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { findNode, resizeReservation, type Size } from '../nodes/index.ts'
import { findServer, idOfSubscription, sizeWithPlan } from '../servers/index.ts'
import * as store from './subscription-store.ts'

const more = (from: Size, to: Size): Size => ({
  memoryMb: Math.max(0, to.memoryMb - from.memoryMb),
  cpuPercent: Math.max(0, to.cpuPercent - from.cpuPercent),
  diskMb: Math.max(0, to.diskMb - from.diskMb),
})
const isNothing = ({ memoryMb, cpuPercent, diskMb }: Size): boolean =>
  memoryMb + cpuPercent + diskMb === 0

/** The additional capacity that a larger size needs, and on which node; undefined if none. */
async function growthOf(
  ctx: Ctx,
  subscriptionId: string,
  order: store.OrderRow,
  preset: ServerPreset,
): Promise<{ nodeId: string; by: Size } | undefined> {
  const serverId = await idOfSubscription(ctx.db, subscriptionId)
  const sizes = serverId && (await sizeWithPlan(ctx.db, serverId, preset))
  const nodeId = sizes ? sizes.present.nodeId : order.nodeId
  if (nodeId === null) return undefined
  const by = sizes ? more(sizes.present, sizes.next) : more(order.preset, preset)
  return isNothing(by) ? undefined : { nodeId, by }
}

/**
 * Reserves the capacity by which a server is to grow, in the transaction of its change of plan, so
 * that no size is sold that does not fit. The server's resize takes the reservation over; a change
 * that does not happen frees it.
 * @throws {Problem} no_capacity
 */
export async function reserveGrowth(
  ctx: Ctx,
  subscriptionId: string,
  preset: ServerPreset,
): Promise<void> {
  const order = await store.lockOrder(ctx.db, subscriptionId)
  if (!order || order.state === 'released') return
  const growth = await growthOf(ctx, subscriptionId, order, preset)
  if (!growth) return
  await resizeReservation(ctx.db, growth.nodeId, growth.by).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'no_capacity')
      throw new Problem('change_blocked', NO_ROOM, { fields: { blocked: ['no_capacity'] } })
    throw error
  })
  await store.updateOrder(ctx.db, order.id, { growthNodeId: growth.nodeId, growth: growth.by })
}

export const NO_ROOM =
  'The node of your server has no room for this size now: choose a smaller plan, or ask your host to move it'

/** Whether a node has room for the growth now; reserves nothing. */
export async function hasRoomToGrow(
  ctx: Ctx,
  subscriptionId: string,
  order: store.OrderRow,
  preset: ServerPreset,
): Promise<boolean> {
  const growth = await growthOf(ctx, subscriptionId, order, preset)
  const node = growth && (await findNode(ctx.db, growth.nodeId))
  if (!growth || !node) return true
  const { by } = growth
  return (
    (by.memoryMb === 0 ||
      node.allocatedMemoryMb + by.memoryMb <= node.memoryMb - node.headroomMb) &&
    (by.cpuPercent === 0 || node.allocatedCpuPercent + by.cpuPercent <= node.cpuPercent) &&
    (by.diskMb === 0 || node.allocatedDiskMb + by.diskMb <= node.diskMb)
  )
}

/** Frees the growth of an order on its node, if that still exists. */
export async function giveGrowthBack(
  ctx: Ctx,
  { id, growthNodeId, growth }: store.OrderRow,
): Promise<void> {
  if (growthNodeId === null || growth === null) return
  if (await findNode(ctx.db, growthNodeId))
    await resizeReservation(ctx.db, growthNodeId, {
      memoryMb: -growth.memoryMb,
      cpuPercent: -growth.cpuPercent,
      diskMb: -growth.diskMb,
    })
  await store.updateOrder(ctx.db, id, { growthNodeId: null, growth: null })
}

/**
 * Moves the reservation for a server's growth to the node that the server moved to, if there is room.
 */
export async function followServer(ctx: Ctx, row: store.SubscriptionRow): Promise<void> {
  const isGrowing = (await store.ordersOf(ctx.db, [row.id])).get(row.id)?.growth
  const serverId = isGrowing ? await idOfSubscription(ctx.db, row.id) : undefined
  const server = serverId && (await findServer(ctx.db, serverId))
  const order = server ? await store.lockOrder(ctx.db, row.id) : undefined
  if (!server || !order?.growth || order.growthNodeId === server.nodeId) return
  try {
    await resizeReservation(ctx.db, server.nodeId, order.growth)
  } catch (error) {
    // The change is tried again when it is due, like any other that finds no room.
    if (error instanceof Problem) return
    throw error
  }
  await giveGrowthBack(ctx, order)
  await store.updateOrder(ctx.db, order.id, { growthNodeId: server.nodeId, growth: order.growth })
}

/** Drops a pending change of plan and frees what was reserved for it. */
export async function dropPending(
  ctx: Ctx,
  row: store.SubscriptionRow,
): Promise<Partial<store.SubscriptionRow>> {
  const order = row.pendingPriceId === null ? undefined : await store.lockOrder(ctx.db, row.id)
  if (order) await giveGrowthBack(ctx, order)
  return { pendingPriceId: null, pendingAt: null, pendingInvoiceId: null }
}
