import type { HoldKind, SuspensionCause } from '@lodge/shared/servers.ts'
import type { Ctx } from '../../../context.ts'
import type { Db } from '../../../db/database.ts'
import { Problem } from '../../../problem.ts'
import { changeDesired } from '../desired-state/desired-state.ts'
import { deleteHold, holdsOf, insertHold } from '../hold-store.ts'
import { newsOf } from '../news/news.ts'
import { suspend } from '../power/suspension.ts'
import { idOfSubscription, lockServer, updateServer } from '../store.ts'
import type { ServerRow } from '../tables.ts'

/** The server that came with a subscription, locked; the caller has locked its owner. */
async function lockPlanServer(db: Db, subscriptionId: string): Promise<ServerRow | undefined> {
  const id = await idOfSubscription(db, subscriptionId)
  return id === undefined ? undefined : lockServer(db, id)
}

/**
 * Makes an existing server that of a subscription, which it then follows; the caller has locked its
 * owner.
 * @returns the server, or undefined if another account owns it, another subscription has it, or it is
 * being deleted
 */
export async function joinPlanServer(
  db: Db,
  serverId: string,
  ownerId: string,
  subscriptionId: string,
): Promise<ServerRow | undefined> {
  const row = await lockServer(db, serverId)
  const isFree = row?.ownerId === ownerId && row.subscriptionId === null && row.deleteAt === null
  return isFree ? updateServer(db, serverId, { subscriptionId }) : undefined
}

/** Holds that a server may keep when another subscription takes it over. */
const KEPT: readonly HoldKind[] = ['suspension', 'deletion', 'backing-up']
/** Who deletes a server so that a new subscription still keeps it. */
export type Deleter = 'billing' | 'owner'

/**
 * Gives a server to another subscription, which it follows from now on, and cancels its deletion; the
 * caller has locked its owner.
 * @returns who was to delete it, if anybody; undefined if another account owns it or its deletion has begun
 * @throws {Problem} hold_active
 */
export async function takeOverServer(
  ctx: Ctx,
  now: Date,
  serverId: string,
  ownerId: string,
  subscriptionId: string,
): Promise<{ readonly deleter: Deleter | undefined } | undefined> {
  const row = await lockServer(ctx.db, serverId)
  if (row?.ownerId !== ownerId || (row.deleteAt !== null && row.deleteAt <= now)) return undefined
  const holds = (await holdsOf(ctx.db, [serverId])).get(serverId) ?? []
  if (holds.includes('deleting')) return undefined
  if (holds.some((kind) => !KEPT.includes(kind)))
    throw new Problem(
      'hold_active',
      'Other work on this server has to end first: try again afterwards',
    )
  await updateServer(ctx.db, serverId, { subscriptionId })
  // That was about the former subscription.
  await liftPlanServer(ctx, subscriptionId, 'dispute')
  if (row.deleteAt === null) return { deleter: undefined }
  const deleters: Deleter[] = []
  for (const cause of ['billing', 'owner'] as const)
    if (await deleteHold(ctx.db, serverId, 'deletion', cause)) deleters.push(cause)
  await changeDesired(ctx, row, { deleteAt: null })
  await ctx.emit('server.restored', { ...(await newsOf(ctx.db, row)), takenOver: true })
  return { deleter: deleters[0] }
}

/** Why a subscription keeps its server stopped: it is not paid, or its payment is disputed. */
type Cause = Extract<SuspensionCause, 'billing' | 'dispute'>

/** Keeps the server of a subscription stopped, by default until it is paid. */
export async function suspendPlanServer(
  ctx: Ctx,
  subscriptionId: string,
  cause: Cause = 'billing',
): Promise<void> {
  const row = await lockPlanServer(ctx.db, subscriptionId)
  if (row) await suspend(ctx, row, cause)
}

/** Lifts what `suspendPlanServer` set; other suspensions stay. */
export async function liftPlanServer(
  ctx: Ctx,
  subscriptionId: string,
  cause: Cause = 'billing',
): Promise<void> {
  const row = await lockPlanServer(ctx.db, subscriptionId)
  if (!row || !(await deleteHold(ctx.db, row.id, 'suspension', cause))) return
  await ctx.emit('server.unsuspended', { ...(await newsOf(ctx.db, row)), cause })
  await changeDesired(ctx, row, {})
}

/** Stops the server of an ended subscription and schedules its deletion. */
export async function deletePlanServer(
  ctx: Ctx,
  subscriptionId: string,
  deleteAt: Date,
): Promise<void> {
  const row = await lockPlanServer(ctx.db, subscriptionId)
  if (row) await deleteLater(ctx, row, 'billing', deleteAt)
}

/**
 * Gives the server of a subscription that never began back to its owner, as it was before.
 * @param deleteAt when it is deleted, if its owner had deleted it before
 */
export async function freePlanServer(
  ctx: Ctx,
  subscriptionId: string,
  deleteAt: Date | undefined,
): Promise<void> {
  await liftPlanServer(ctx, subscriptionId)
  const row = await lockPlanServer(ctx.db, subscriptionId)
  if (!row) return
  await updateServer(ctx.db, row.id, { subscriptionId: null })
  if (deleteAt) await deleteLater(ctx, row, 'owner', deleteAt)
}

/** Stops a server and schedules its deletion; that of a plan is announced by the mail about its end. */
async function deleteLater(ctx: Ctx, row: ServerRow, by: Deleter, deleteAt: Date): Promise<void> {
  await insertHold(ctx.db, row.id, 'deletion', by)
  // It is deleted for both causes, and not before the time that the mail about either has named.
  if (row.deleteAt) {
    if (row.deleteAt < deleteAt) await changeDesired(ctx, row, { deleteAt })
    return
  }
  await ctx.jobs.desiredState.supersedeDeferred(ctx.db, row.id)
  await changeDesired(ctx, row, { desiredEnding: 'graceful', deleteAt })
  const news = await newsOf(ctx.db, row)
  const announced = by === 'billing'
  await ctx.emit('server.deletion_scheduled', { ...news, deleteAt, announced })
}
