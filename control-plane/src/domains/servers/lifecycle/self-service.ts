import type { CreateServer } from '@lodge/shared/servers.ts'
import { whyNoImage } from '@lodge/shared/templates/registries.ts'
import { hasPermission, type User } from '../../../actor.ts'
import { record } from '../../../audit/record.ts'
import { type Ctx, contextFor } from '../../../context.ts'
import { oneByOne } from '../../../jobs/one-by-one.ts'
import { notFound, Problem } from '../../../problem.ts'
import type { Services } from '../../../services.ts'
import { findUser, lockOwner } from '../../customers/index.ts'
import { describeLimits, limitSettings, requireQuota } from '../../limits/index.ts'
import { listLocations, nodesThatTake } from '../../nodes/index.ts'
import { readSettings, selfServiceSettings } from '../../settings/index.ts'
import { visibleTemplates } from '../../templates/index.ts'
import { machineOptions } from '../../virtualization/index.ts'
import { changeDesired } from '../desired-state/desired-state.ts'
import { deleteHold, holdsOf, insertHold } from '../hold-store.ts'
import { newsOf } from '../news/news.ts'
import { dueDeletions, lockServer, updateServer } from '../store.ts'
import type { ServerRow } from '../tables.ts'
import { describeServer, findView, type ServerView } from '../view/view.ts'
import { createServer } from './create.ts'
import { removeDue } from './remove.ts'

/** Options and limits for self-service creation: templates, virtual machine parts and locations. */
export async function creationOptions(ctx: Ctx<User>) {
  const user = await findUser(ctx.db, ctx.actor.id)
  if (!user) throw notFound('account')
  const limits = await describeLimits(ctx.db, user, true)
  const { selfService } = await readSettings(ctx.db, limitSettings)
  const allowed = (key: 'allowedTemplates' | 'allowedLocations') => {
    const value = limits.limits.find((limit) => limit.key === key)?.value
    return (name: string) => !limits.enforced || !Array.isArray(value) || value.includes(name)
  }
  const nodes = await nodesThatTake(ctx.db, 'container')
  const templates = (await visibleTemplates(ctx.db))
    .filter((one) => allowed('allowedTemplates')(one.id))
    .map(({ registries, ...template }) => ({
      ...template,
      imageWarning: whyNoImage(registries, nodes, true) ?? null,
    }))
  const locations = (await listLocations(ctx.db)).filter(allowed('allowedLocations'))
  const machines = await machineOptions(ctx.db, {
    profile: allowed('allowedTemplates'),
    location: allowed('allowedLocations'),
  })
  return { selfService, granted: limits.grant.granted, templates, machines, locations, limits }
}

export function createOwnServer(ctx: Ctx<User>, given: Omit<CreateServer, 'ownerId'>) {
  return createServer(ctx, { ...given, ownerId: ctx.actor.id }, { selfService: true })
}

/** Stops the server now and deletes it after the cooling-off period. */
export async function scheduleDeletion(ctx: Ctx<User>, server: ServerView) {
  return ctx.transaction(async (ctx) => {
    const owner = await lockOwner(ctx.db, server.ownerId)
    const row = await lockServer(ctx.db, server.id)
    if (!row || !owner) throw notFound('server')
    // Otherwise the subscription would continue without its server.
    if (row.subscriptionId !== null)
      throw new Problem('in_use', 'This server came with a plan: cancel the subscription instead')
    if (row.deleteAt)
      throw new Problem('conflict', 'The deletion of this server is already scheduled')
    await requireQuota(ctx, owner, () => [{ capability: 'mayDeleteServers' }])
    const { coolingOffHours } = await readSettings(ctx.db, selfServiceSettings)
    await insertHold(ctx.db, row.id, 'deletion', 'owner')
    await ctx.jobs.desiredState.supersedeDeferred(ctx.db, row.id)
    const deleteAt = new Date(ctx.now.getTime() + coolingOffHours * 3_600_000)
    await changeDesired(ctx, row, { desiredPower: 'off', desiredEnding: 'graceful', deleteAt })
    const news = await newsOf(ctx.db, row)
    await ctx.emit('server.deletion_scheduled', { ...news, deleteAt, announced: false })
    const view = await findView(ctx.db, row.id)
    if (!view) throw notFound('server')
    return describeServer(view)
  })
}

/**
 * Undoes a scheduled deletion; the server stays stopped until its owner starts it. That of an ended
 * subscription is kept only by staff: its owner would keep it without paying.
 */
export const restore = (ctx: Ctx<User>, server: ServerView) => cancelDeletion(ctx, server, 'owner')

/**
 * The same by staff. The server of an ended subscription is then one without a plan, which is free of
 * charge: only those who manage what customers pay give it away.
 */
export const keep = (ctx: Ctx<User>, server: ServerView) => cancelDeletion(ctx, server, 'staff')

async function cancelDeletion(ctx: Ctx<User>, server: ServerView, by: 'owner' | 'staff') {
  return ctx.transaction(async (ctx) => {
    const owner = await lockOwner(ctx.db, server.ownerId)
    const row = await lockServer(ctx.db, server.id)
    if (!(row?.deleteAt && owner))
      throw new Problem('invalid_state', 'This server is not scheduled for deletion')
    const isOwners = await deleteHold(ctx.db, row.id, 'deletion', 'owner')
    // A plan that ended or an account that is closed deletes it all the same.
    if (by === 'owner' && !isOwners)
      throw new Problem('invalid_state', 'The host deletes this server: ask them to keep it')
    const isOfPlan = by === 'staff' && (await deleteHold(ctx.db, row.id, 'deletion', 'billing'))
    if (isOfPlan) {
      if (!hasPermission(ctx.actor, 'billing.manage'))
        throw new Problem(
          'permission_required',
          'Keeping the server of an ended subscription needs the permission billing.manage',
          { fields: { permission: 'billing.manage' } },
        )
      await recordLeft(ctx, row)
      await deleteHold(ctx.db, row.id, 'suspension', 'billing')
      await updateServer(ctx.db, row.id, { subscriptionId: null })
    }
    const held = await holdsOf(ctx.db, [row.id])
    if (held.get(row.id)?.includes('deletion'))
      throw new Problem('invalid_state', 'This server is deleted with the account of its owner')
    await changeDesired(ctx, row, { deleteAt: null, ...(isOfPlan && { desiredPower: 'off' }) })
    await ctx.emit('server.restored', { ...(await newsOf(ctx.db, row)), takenOver: false })
    const view = await findView(ctx.db, row.id)
    if (!view) throw notFound('server')
    return describeServer(view)
  })
}

const recordLeft = (ctx: Ctx<User>, { id, name, subscriptionId }: ServerRow) =>
  record(ctx, {
    ...{ action: 'server.left_plan', targetId: id, serverId: id },
    detail: { target: name, body: { subscriptionId } },
  })

/** Deletes servers whose cooling-off period has passed. */
export async function deleteDue(services: Services): Promise<number> {
  const ctx = contextFor(services, { kind: 'system' } as const)
  return await oneByOne(services, await dueDeletions(services.db), async (id) => {
    const view = await findView(services.db, id)
    // Already confirmed when the deletion was scheduled.
    return view !== undefined && removeDue(ctx, view)
  })
}
