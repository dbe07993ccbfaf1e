import { randomUUIDv7 } from 'node:crypto'
import type { BillingSettings, InvoiceLine } from '@lodge/shared/billing/billing.ts'
import type { Ctx } from '../../context.ts'
import { panelName } from '../auth/index.ts'
import type { UserRow } from '../customers/index.ts'
import { addressOf } from './address-store.ts'
import { chargedBy } from './charges/charge.ts'
import { settled, sumOf, worded } from './invoice-lines.ts'
import * as store from './invoice-store.ts'
import { tell } from './news.ts'
import { localeForInvoice, paperReader } from './paper-reader.ts'
import type { SubscriptionRow } from './subscription-store.ts'
import { recordSale, recordVoid } from './tax/record.ts'
import { taxedForSale } from './tax/tax.ts'

interface Issue {
  readonly settings: BillingSettings
  readonly subscription: SubscriptionRow
  readonly planName: string
  readonly kind: store.InvoiceRow['kind']
  readonly currency: string
  readonly lines: readonly InvoiceLine[]
  readonly dueAt: Date
  readonly period?: { readonly startsAt: Date; readonly endsAt: Date }
}

/**
 * Issues an invoice with tax, paid from the balance as far as that goes; if nothing is left to pay,
 * it is paid immediately. The caller has locked the customer, whose balance this uses.
 * @throws {Preliminary} before anything is written, if a plugin has to calculate the tax first
 */
export async function issueInvoice(
  ctx: Ctx,
  now: Date,
  user: UserRow,
  given: Issue,
): Promise<store.InvoiceRow> {
  const { tax, invoicePrefix, sender } = given.settings
  const { lines: withTax, recorded } = await taxedForSale(ctx, now, {
    ...{ tax, userId: user.id, subscriptionId: given.subscription.id },
    ...{ currency: given.currency, lines: given.lines },
  })
  const balance = (await store.balancesOf(ctx.db, user.id)).get(given.currency) ?? 0
  const { lines, total, change } = settled(withTax, balance)
  const { address, taxNumber } = await addressOf(ctx.db, user.id)
  const locale = await localeForInvoice(ctx, user)
  const number = await store.nextNumber(ctx.db, invoicePrefix, now)
  const row = await store.insertInvoice(ctx.db, {
    ...{ id: randomUUIDv7(), kind: given.kind, currency: given.currency, total, locale },
    lines: worded(lines, paperReader(locale)),
    ...{ number, userId: user.id, subscriptionId: given.subscription.id, planName: given.planName },
    buyer: {
      ...{ email: user.email, name: user.name ?? '', address },
      ...(taxNumber !== '' && { taxNumber }),
    },
    // Stored, so that renaming the panel does not change old invoices.
    sender: sender === '' ? await ctx.catalogue.answers.to(panelName)(ctx.db) : sender,
    status: total === 0 ? 'paid' : 'open',
    ...{ issuedAt: now, dueAt: given.dueAt, paidAt: total === 0 ? now : null },
    ...(given.period && {
      periodStart: given.period.startsAt,
      periodEnd: given.period.endsAt,
    }),
  })
  if (change !== 0) await changeBalance(ctx, now, user.id, row, change)
  await recordSale(ctx, now, row, recorded)
  const isCharged = given.kind === 'renewal' && (await chargedBy(ctx, user.id)) !== undefined
  if (total > 0)
    await tell(ctx, user, isCharged ? 'charge_coming' : 'invoice_issued', { invoice: row })
  return row
}

/** Adds an amount, which may be negative, to a customer's balance. */
export const changeBalance = (
  ctx: Ctx,
  now: Date,
  userId: string,
  invoice: Pick<store.InvoiceRow, 'id' | 'currency'>,
  amount: number,
): Promise<void> =>
  store.addToBalance(ctx.db, {
    ...{ id: randomUUIDv7(), userId, currency: invoice.currency, amount },
    ...{ invoiceId: invoice.id, createdAt: now },
  })

/** What the balance gets back when an invoice is voided: what it had given, and part payments. */
export const backOf = ({ lines, amountPaid }: store.InvoiceRow): number =>
  amountPaid - sumOf(lines.filter(({ kind }) => kind === 'adjustment'))

/**
 * Voids an open invoice and returns to the balance what the balance and payments have covered of it.
 * A void invoice has no further effect.
 */
export async function voidInvoice(
  ctx: Ctx,
  now: Date,
  invoice: store.InvoiceRow,
  voidedAt = now,
): Promise<store.InvoiceRow> {
  if (invoice.userId !== null) {
    const back = backOf(invoice)
    if (back !== 0) await changeBalance(ctx, now, invoice.userId, invoice, back)
  }
  await recordVoid(ctx, now, invoice)
  return store.updateInvoice(ctx.db, invoice.id, { status: 'void', voidedAt })
}
