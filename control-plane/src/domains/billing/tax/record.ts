import { randomUUIDv7 } from 'node:crypto'
import type { TaxRequest } from '@lodge/shared/plugins/tax.ts'
import type { Ctx } from '../../../context.ts'
import type { InvoiceRow } from '../invoice-store.ts'
import { fingerprintOf } from './quote.ts'
import { useUp } from './quote-store.ts'
import * as store from './record-store.ts'

/** What an invoice's tax plugin has to record. */
export interface Recorded {
  /** The sale of the quoted lines; undefined if the plugin records no sales. */
  readonly sale?: {
    readonly plugin: string
    readonly quoteRef: string
    readonly request: TaxRequest
    readonly total: number
  }
  /** The credit for an earlier invoice, with its tax. */
  readonly back?: { readonly invoiceId: string; readonly amount: number }
}

/** Has the plugin that calculated the tax record an invoice that was just issued. */
export async function recordSale(
  ctx: Ctx,
  now: Date,
  invoice: InvoiceRow,
  { sale, back }: Recorded,
): Promise<void> {
  if (sale) {
    const { plugin, quoteRef, request, total } = sale
    await useUp(ctx.db, fingerprintOf({ plugin, request }))
    await store.insertRecord(ctx.db, {
      ...{ id: randomUUIDv7(), invoiceId: invoice.id, kind: 'sale', causeId: invoice.id, plugin },
      ...{ reference: invoice.number, at: now, nextAt: now },
      amount: request.lines.reduce((sum, { amount }) => sum + amount, total),
      quote: { ref: quoteRef, request, total },
    })
  }
  if (!back) return
  const { id: causeId, number, status } = invoice
  // An unpaid change of plan credits nothing.
  const nextAt = status === 'paid' ? now : null
  await giveBack(ctx, now, back.invoiceId, {
    ...{ causeId, amount: back.amount, nextAt },
    named: (sold) => `${sold}-${number}`,
  })
}

/** An invoice was paid: the credits that it contains for earlier invoices count now. */
export const recordPaid = (ctx: Ctx, now: Date, { id }: InvoiceRow): Promise<void> =>
  store.releaseReversals(ctx.db, now, id)

/** An invoice was voided: it was no sale, and credits nothing. */
export async function recordVoid(
  ctx: Ctx,
  now: Date,
  { id }: Pick<InvoiceRow, 'id'>,
): Promise<void> {
  await store.dropReversals(ctx.db, id)
  const sale = await store.lockSale(ctx.db, id)
  if (!sale) return
  if (sale.attempts === 0) return store.deleteRecord(ctx.db, sale.id)
  await giveBack(ctx, now, id, {
    ...{ causeId: id, amount: sale.amount, nextAt: now },
    named: (sold) => `${sold}-VOID`,
  })
}

/** A refund of an invoice, with its credit note. */
interface Credit {
  readonly id: string
  readonly invoiceId: string
  readonly number: string | null
  readonly amount: number
}

/** An invoice was refunded. */
export const recordCredit = (ctx: Ctx, now: Date, { id, invoiceId, number, amount }: Credit) =>
  giveBack(ctx, now, invoiceId, {
    ...{ causeId: id, amount, nextAt: now },
    named: (sold) => number ?? sold,
  })

/**
 * The refund of a credit note was returned, so the credit note no longer counts. A credit that the
 * tax provider has recorded already stays, which the host is notified of.
 */
export async function recordCreditUndone(
  ctx: Ctx,
  { id, number }: Credit,
  { buyer }: InvoiceRow,
): Promise<void> {
  for (const { id: recordId } of await store.dropReversals(ctx.db, id))
    await ctx.emit('billing.tax_unrecorded', {
      ...{ recordId, reference: number ?? '', email: buyer.email, why: NOT_UNDONE },
    })
}
const NOT_UNDONE = 'The money came back, but its tax is recorded as given back: correct that there'

interface GivenBack {
  readonly causeId: string
  readonly amount: number
  readonly nextAt: Date | null
  readonly named: (sold: string) => string
}

/** Never credits more than was sold. */
async function giveBack(
  ctx: Ctx,
  now: Date,
  invoiceId: string,
  { causeId, amount, nextAt, named }: GivenBack,
): Promise<void> {
  const sale = await store.lockSale(ctx.db, invoiceId)
  if (!sale) return
  const left = sale.amount - (await store.givenBackOf(ctx.db, invoiceId))
  const part = Math.min(amount, left)
  if (part <= 0) return
  await store.insertRecord(ctx.db, {
    ...{ id: randomUUIDv7(), invoiceId, kind: 'reversal', causeId, plugin: sale.plugin },
    ...{ reference: named(sale.reference), amount: part, at: now, nextAt },
  })
}
