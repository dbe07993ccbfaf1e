import type { Ctx } from '../../context.ts'
import { planNames } from '../plans/index.ts'
import type { InvoiceRow } from './invoice-store.ts'
import type { Locked } from './moves.ts'
import { type News, tell } from './news.ts'
import * as store from './subscription-store.ts'

/** Records a step of a period or a debt. @returns whether this is its first time */
export const isFirst = (ctx: Ctx, now: Date, { row }: Locked, step: string, since: Date) =>
  store.insertStep(ctx.db, { subscriptionId: row.id, step, since, doneAt: now })

interface About {
  readonly invoice?: InvoiceRow | undefined
  readonly until?: Date
}

/** Notifies once per period or debt. */
export async function once(
  ctx: Ctx,
  now: Date,
  locked: Locked,
  step: string,
  since: Date,
  news: News,
  about: About,
): Promise<void> {
  if (await isFirst(ctx, now, locked, step, since)) await tellAbout(ctx, locked, news, about)
}

/**
 * The notices that replace those about an invoice when there is none, because the customer's address
 * is unknown.
 */
const WITHOUT_INVOICE: Partial<Record<News, News>> = {
  payment_reminder: 'tax_address_reminder',
  suspension_warning: 'tax_address_reminder',
  suspended: 'tax_address_suspended',
  deletion_warning: 'tax_address_deletion',
}

export async function tellAbout(
  ctx: Ctx,
  { user, row }: Locked,
  news: News,
  about: About,
): Promise<void> {
  const plan = (await planNames(ctx.db, [row.planId])).get(row.planId) ?? ''
  const said = about.invoice ? news : (WITHOUT_INVOICE[news] ?? news)
  await tell(ctx, user, said, { plan, subscriptionId: row.id, ...about })
}
