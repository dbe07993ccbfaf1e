import { type Ctx, contextFor } from '../../../context.ts'
import { oneByOne } from '../../../jobs/one-by-one.ts'
import type { Services } from '../../../services.ts'
import { callPlugin, PluginCallFailed } from '../../plugins/index.ts'
import { findInvoice } from '../invoice-store.ts'
import * as store from './record-store.ts'

const MINUTE_MS = 60_000
/**
 * Longer than a call may take: afterwards another control plane takes over from one that was killed.
 */
const CLAIM_MS = 3 * MINUTE_MS
/** Delay after each attempt; the last one repeats. */
const RETRIES_MINUTES = [1, 5, 15, 60, 240, 720]
/** Some three months: a plugin that has been off for so long is not going to be turned on again. */
const MOST_TRIES = 180
/** After this many attempts, or the first refusal, somebody has to look. */
const STUCK_AFTER = 3

/**
 * Has tax plugins record sales and credits; a repeated call has the same idempotency key, and one
 * effect.
 */
export async function recordTaxDue(services: Services, now = new Date()): Promise<number> {
  const ctx = contextFor(services, { kind: 'system' } as const)
  return oneByOne(services, await store.dueRecords(ctx.db, now), async ({ id }) => {
    const row = await store.claimRecord(ctx.db, now, id, new Date(now.getTime() + CLAIM_MS))
    if (!row) return false
    if (await waitsForSale(ctx, now, row)) return false
    try {
      const externalRef = await recordedBy(ctx, row)
      // Deletes the request, which contains the customer's address and is no longer needed.
      const done = { externalRef, nextAt: null, failure: null, quote: null }
      await store.updateRecord(ctx.db, id, done)
      return true
    } catch (error) {
      if (!(error instanceof PluginCallFailed)) throw error
      return postpone(ctx, now, row, error)
    }
  })
}

async function recordedBy(ctx: Ctx, row: store.TaxRecordRow): Promise<string> {
  const { id, plugin, reference, amount, quote, at } = row
  const key = `tax:${id}`
  if (row.kind === 'sale') {
    if (!quote) throw new Error('a sale has lost its quote')
    const { ref } = await callPlugin(ctx, plugin, 'tax.record', {
      ...{ quoteRef: quote.ref, reference, issuedAt: at.toISOString(), key },
      ...{ ...quote.request, total: quote.total },
    })
    return ref
  }
  const sale = await store.saleOf(ctx.db, row.invoiceId)
  const invoice = await findInvoice(ctx.db, row.invoiceId)
  if (!sale?.externalRef || !invoice) throw new Error('what is given back was never recorded')
  const { ref } = await callPlugin(ctx, plugin, 'tax.reverse', {
    ...{ recordRef: sale.externalRef, reference, amount, key, currency: invoice.currency },
    whole: amount === sale.amount,
  })
  return ref
}

/**
 * Whether the sale that a reversal credits is not recorded yet; in that case the reversal has not
 * been attempted.
 */
async function waitsForSale(ctx: Ctx, now: Date, row: store.TaxRecordRow): Promise<boolean> {
  if (row.kind === 'sale') return false
  const sale = await store.saleOf(ctx.db, row.invoiceId)
  if (!sale || sale.externalRef !== null) return false
  if (sale.nextAt === null) {
    await store.updateRecord(ctx.db, row.id, { nextAt: null, failure: sale.failure })
    return true
  }
  const soon = new Date(now.getTime() + MINUTE_MS)
  const nextAt = sale.nextAt > soon ? sale.nextAt : soon
  await store.updateRecord(ctx.db, row.id, { nextAt, attempts: row.attempts - 1 })
  return true
}

async function postpone(
  ctx: Ctx,
  now: Date,
  { id, attempts, reference, invoiceId, failure }: store.TaxRecordRow,
  { reason, said }: PluginCallFailed,
): Promise<boolean> {
  const minutes = RETRIES_MINUTES[Math.min(attempts, RETRIES_MINUTES.length) - 1] ?? 1
  const isRefused = reason === 'refused' || reason === 'unsupported'
  const isOver = attempts >= MOST_TRIES
  const nextAt = isOver ? null : new Date(now.getTime() + minutes * MINUTE_MS)
  await ctx.transaction(async (ctx) => {
    await store.updateRecord(ctx.db, id, { nextAt, failure: said })
    // A refusal is news also if the plugin did not answer before.
    const isNews = isRefused ? failure !== said : attempts === STUCK_AFTER
    if (!isNews || attempts > STUCK_AFTER) return
    const email = (await findInvoice(ctx.db, invoiceId))?.buyer.email ?? ''
    await ctx.emit('billing.tax_unrecorded', { recordId: id, reference, email, why: said })
  })
  return false
}
