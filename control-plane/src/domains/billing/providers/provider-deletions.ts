import { backoffMs } from '@lodge/shared/backoff.ts'
import { type Ctx, contextFor } from '../../../context.ts'
import { oneByOne } from '../../../jobs/one-by-one.ts'
import type { Services } from '../../../services.ts'
import { callPlugin, PluginCallFailed } from '../../plugins/index.ts'
import * as store from '../charges/provider-deletion-store.ts'

const HOUR_MS = 3_600_000
/**
 * Longer than a call of a payment plugin may take: afterwards another control plane takes over from
 * one that was killed.
 */
const CLAIM_MS = 3 * 60_000
/** A page of a provider that was opened before the account was deleted can be paid on for a day. */
const LAST_AFTER_MS = 48 * HOUR_MS
const AGAIN = { leastMs: 60_000, mostMs: 24 * HOUR_MS }
/** Some two months: a provider that has been off for so long is not going to be turned on again. */
const MOST_TRIES = 70

/** Queues, in the transaction that deletes a customer, the deletion of their payment methods. */
export const deleteAtProviders = (ctx: Ctx, userId: string): Promise<void> =>
  store.queueProviderDeletions(ctx.db, userId, {
    dueAt: ctx.now,
    lastAt: new Date(ctx.now.getTime() + LAST_AFTER_MS),
  })

/** Has providers delete the payment methods of deleted customers; idempotent. */
export async function forgetDue(services: Services, now = new Date()): Promise<number> {
  const ctx = contextFor(services, { kind: 'system' } as const)
  return oneByOne(services, await store.dueProviderDeletions(ctx.db, now), async (named) => {
    const row = await store.claimProviderDeletion(
      ctx.db,
      now,
      named,
      new Date(now.getTime() + CLAIM_MS),
    )
    if (!row) return false
    try {
      await callPlugin(ctx, row.provider, 'payment.forgetMethods', { customerRef: row.ref })
    } catch (error) {
      if (!(error instanceof PluginCallFailed)) throw error
      // The provider saves no payment methods.
      if (error.reason === 'unsupported') return leave(ctx, row)
      return postpone(ctx, now, row, error)
    }
    if (now >= row.lastAt) return leave(ctx, row)
    await store.updateProviderDeletion(ctx.db, row, { dueAt: row.lastAt, tries: 0 })
    return true
  })
}

async function leave(ctx: Ctx, row: store.ProviderDeletionRow): Promise<boolean> {
  await store.removeProviderDeletion(ctx.db, row)
  return true
}

async function postpone(
  ctx: Ctx,
  now: Date,
  row: store.ProviderDeletionRow,
  { said }: PluginCallFailed,
): Promise<boolean> {
  if (row.tries < MOST_TRIES) {
    const dueAt = new Date(now.getTime() + backoffMs(row.tries - 1, AGAIN))
    await store.updateProviderDeletion(ctx.db, row, { dueAt })
    return false
  }
  const { provider, ref } = row
  ctx.log.error(
    { provider, customer: ref, why: said },
    'the payment methods of a deleted customer may be kept by the provider: delete them there',
  )
  return leave(ctx, row)
}
