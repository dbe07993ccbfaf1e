import type { Ctx } from '../../../context.ts'
import { Preliminary } from '../../../preliminary.ts'
import { planNames } from '../../plans/index.ts'
import { boundaryOf } from '../boundary.ts'
import { type Locked, withSubscription } from '../moves.ts'
import { tell } from '../news.ts'
import * as store from '../subscription-store.ts'
import { TaxFailed, TaxQuoteNeeded } from './quote.ts'
import { endWait, findWait, storeWait } from './wait-store.ts'

const MINUTE_MS = 60_000
/** Delay after each attempt; the last one repeats. */
const RETRIES_MINUTES = [1, 5, 15, 30, 60]
/** After this many attempts somebody has to look. */
const STUCK_AFTER = 3
const LONGEST_FAILURE = 300
/** The step of a period that asks its customer for their address. */
export const PLACE_ASKED = 'place_asked'

/** Why an invoice was not issued: its tax is unknown. */
export type TaxMissing = TaxQuoteNeeded | TaxFailed

/** A step that may find a tax missing; the rest of it takes effect all the same. */
export interface TaxedStep extends Locked {
  readonly missing: TaxMissing[]
}

/** Issues an invoice, or records that its tax is missing. */
export async function issuedWithTax<T>(
  { missing }: TaxedStep,
  issue: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await issue()
  } catch (error) {
    if (!(error instanceof TaxQuoteNeeded || error instanceof TaxFailed)) throw error
    missing.push(error)
    return undefined
  }
}

export interface Untaxed {
  readonly id: string
  readonly userId: string
  readonly missing: TaxMissing
}

/**
 * Obtains the taxes that invoices wait for, and issues those invoices. A plugin that does not answer
 * is not called again in this round, so that it holds nobody up.
 * @param again repeats the step; what it returns is still missing
 */
export async function taxDue(
  ctx: Ctx,
  now: Date,
  untaxed: readonly Untaxed[],
  again: (one: Untaxed) => Promise<TaxMissing | undefined>,
): Promise<void> {
  const away = new Map<string, TaxFailed>()
  for (const one of untaxed)
    try {
      let missing: TaxMissing | undefined = one.missing
      let failed: TaxFailed | undefined
      if (missing instanceof Preliminary) {
        const { plugin } = missing.question
        failed = away.get(plugin) ?? (await obtained(ctx, missing))
        if (failed && !failed.needsAddress) away.set(plugin, failed)
        missing = failed ?? (await again(one))
      }
      if (missing) await wait(ctx, now, one, failed ?? missing)
    } catch (error) {
      ctx.log.error({ err: error, subscription: one.id }, 'an invoice did not get its tax')
    }
}

async function obtained(ctx: Ctx, missing: TaxQuoteNeeded): Promise<TaxFailed | undefined> {
  try {
    await missing.obtain(ctx)
    return undefined
  } catch (error) {
    if (error instanceof TaxFailed) return error
    throw error
  }
}

/** Schedules another attempt and notifies, once, whoever can act. */
async function wait(ctx: Ctx, now: Date, one: Untaxed, missing: TaxMissing): Promise<void> {
  await withSubscription(ctx, one, async (ctx, { user, row }) => {
    if (row.endedAt !== null) return
    const before = await findWait(ctx.db, row.id)
    const tries = (before?.tries ?? 0) + 1
    const minutes = RETRIES_MINUTES[Math.min(tries, RETRIES_MINUTES.length) - 1] ?? 1
    const nextAt = new Date(now.getTime() + minutes * MINUTE_MS)
    // A plugin that does not answer now does not invalidate its earlier answer.
    const needsAddress =
      (missing instanceof TaxFailed && missing.needsAddress) || before?.needsAddress === true
    const why = missing instanceof TaxFailed ? missing.why : missing.message
    const failure = why.slice(0, LONGEST_FAILURE)
    const since = before?.since ?? now
    await storeWait(ctx.db, { subscriptionId: row.id, since, tries, failure, needsAddress })
    await store.updateSubscription(ctx.db, now, row.id, { nextAt })
    const plan = (await planNames(ctx.db, [row.planId])).get(row.planId) ?? ''
    const boundary = boundaryOf(row)
    if (needsAddress && boundary)
      await store.insertStep(ctx.db, {
        ...{ subscriptionId: row.id, step: PLACE_ASKED, since: boundary, doneAt: now },
      })
    if (needsAddress && !before?.needsAddress)
      await tell(ctx, user, 'tax_address', { plan, subscriptionId: row.id })
    if (tries === STUCK_AFTER)
      await ctx.emit('billing.tax_stuck', {
        ...{ subscriptionId: row.id, since: since.toISOString() },
        ...{ email: user.email, plan, why: failure },
      })
  })
}

/** Ends the wait of a subscription for a tax. */
export const taxFound = (ctx: Ctx, { row }: Locked): Promise<void> => endWait(ctx.db, row.id)
