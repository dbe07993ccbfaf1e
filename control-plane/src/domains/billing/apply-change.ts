import { periodEnd } from '@lodge/shared/billing/cycles.ts'
import type { Ctx } from '../../context.ts'
import { findPrices, type PriceRow } from '../plans/index.ts'
import { moved } from './moves.ts'
import { takePrice, voidRenewals } from './renewal.ts'
import type { SubscriptionRow } from './subscription-store.ts'

/**
 * Applies a paid change of plan to its subscription. With another cycle a new period begins now; open
 * invoices at the old price are voided.
 */
export async function applyChange(
  ctx: Ctx,
  now: Date,
  row: SubscriptionRow,
  to?: PriceRow,
): Promise<Partial<SubscriptionRow> | undefined> {
  const ids = [row.priceId, row.pendingPriceId].filter((id) => id !== null)
  const prices = await findPrices(ctx.db, ids)
  const price = to ?? prices.get(row.pendingPriceId ?? '')
  const from = prices.get(row.priceId ?? '')
  if (!price || !from) return undefined
  const status = moved(row, 'changed')
  await voidRenewals(ctx, now, row)
  return {
    ...{ status, ...(await takePrice(ctx, now, row, price)) },
    ...(status === 'active' &&
      from.cycle !== price.cycle && {
        ...{ anchor: now, periodStart: now, periodEnd: periodEnd(now, price.cycle, 1) },
      }),
  }
}
