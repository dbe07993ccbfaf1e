import { type Ctx, contextFor } from '../../context.ts'
import { oneByOne } from '../../jobs/one-by-one.ts'
import type { Services } from '../../services.ts'
import { closeConnections } from '../auth/index.ts'
import { lockOwner, type UserRow, updateUser } from '../customers/index.ts'
import { cancelDeletionsOf, liftSuspensionsOf, scheduleDeletionsOf } from '../servers/index.ts'
import { readSettings, selfServiceSettings } from '../settings/index.ts'
import { endOpenAppeal } from './appeals/decide.ts'
import * as store from './store.ts'
import { lockSuspended } from './suspend.ts'

interface Lifting {
  readonly reason?: string | undefined
  /** Whether servers that were running start again. */
  readonly restoreRunning: boolean
}

/** Lifts a suspension: everything works again, except for what was revoked. */
export async function liftSuspension(
  ctx: Ctx,
  { id: customerId }: Pick<UserRow, 'id'>,
  { reason, restoreRunning }: Lifting,
): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const { account, row } = await lockSuspended(ctx, customerId)
    const by = ctx.actor.kind === 'user' ? ctx.actor.id : null
    await store.updateSuspension(ctx.db, row.id, {
      ...{ liftedAt: ctx.now, liftedBy: by, liftReason: reason ?? null },
    })
    await endOpenAppeal(ctx, row, by)
    await updateUser(ctx.db, customerId, { state: 'active', restriction: null })
    await cancelDeletionsOf(ctx, customerId, 'account')
    await liftSuspensionsOf(ctx, customerId, 'account', restoreRunning)
    await closeConnections(ctx, customerId)
    await ctx.emit('account.unsuspended', {
      userId: customerId,
      email: account.email,
      notify: row.options.notifyCustomer,
    })
    if (by === null) await ctx.emit('account.suspension_over', { userId: customerId })
  })
}

/** Lifts the suspensions whose time is over. */
export async function liftOver(services: Services): Promise<number> {
  const ctx = contextFor(services, { kind: 'system' } as const)
  return await oneByOne(services, await store.customersOver(ctx.db), (id) =>
    ctx.transaction(async (ctx) => {
      // Another instance may have lifted it already, or somebody extended it.
      await lockOwner(ctx.db, id)
      const row = await store.lockActive(ctx.db, id)
      if (!row?.endsAt || row.endsAt > ctx.now) return false
      await liftSuspension(ctx, { id }, { restoreRunning: true })
      return true
    }),
  )
}

/**
 * Schedules the servers of long suspensions for deletion, after the same cooling-off period as when
 * their owner deletes them; lifting the suspension undoes it.
 */
export async function deleteServersDue(services: Services): Promise<number> {
  const ctx = contextFor(services, { kind: 'system' } as const)
  return await oneByOne(services, await store.customersToDeleteServersOf(ctx.db), (id) =>
    ctx.transaction(async (ctx) => {
      await lockOwner(ctx.db, id)
      const row = await store.lockActive(ctx.db, id)
      if (!row?.deleteServersAt || row.deleteServersAt > ctx.now || row.serversDeletedAt) return 0
      await store.updateSuspension(ctx.db, row.id, { serversDeletedAt: ctx.now })
      const { coolingOffHours } = await readSettings(ctx.db, selfServiceSettings)
      const deleteAt = new Date(ctx.now.getTime() + coolingOffHours * 3_600_000)
      return scheduleDeletionsOf(ctx, id, 'account', deleteAt)
    }),
  )
}
