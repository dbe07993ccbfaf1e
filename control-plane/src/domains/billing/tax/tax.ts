import type { BillingSettings, InvoiceLine, LineTax } from '@lodge/shared/billing/billing.ts'
import type { TaxRequest } from '@lodge/shared/plugins/tax.ts'
import type { Ctx } from '../../../context.ts'
import { addressOf, type BillingAddressRow } from '../address-store.ts'
import { sumOf, taxLine } from '../invoice-lines.ts'
import { invoicesOf } from '../invoice-store.ts'
import { fingerprintOf, TaxFailed, TaxQuoteNeeded } from './quote.ts'
import { findQuote } from './quote-store.ts'
import type { Recorded } from './record.ts'

const WHOLE = 10_000n

/** A share of an amount, which may be negative, in whole units; halves are rounded away from zero. */
function partOf(amount: number, part: bigint, whole: bigint): number {
  const share = (BigInt(Math.abs(amount)) * part * 2n + whole) / (whole * 2n)
  return amount < 0 ? -Number(share) : Number(share)
}

interface Taxed {
  readonly tax: BillingSettings['tax']
  readonly userId: string
  /**
   * The subscription whose earlier invoices determine the tax of a credit; undefined if there is no
   * credit.
   */
  readonly subscriptionId?: string
  readonly currency: string
  readonly lines: readonly InvoiceLine[]
}

/** The lines with the tax on them. @throws {TaxQuoteNeeded} @throws {TaxFailed} */
export const taxed = async (ctx: Ctx, now: Date, given: Taxed): Promise<InvoiceLine[]> =>
  (await taxedForSale(ctx, now, given)).lines

interface TaxedLines {
  readonly lines: InvoiceLine[]
  /** What the plugin has to record once the invoice exists. */
  readonly recorded: Recorded
}

/**
 * The lines with their tax, and what to record of them.
 * @throws {TaxQuoteNeeded} if a plugin has to be called first
 * @throws {TaxFailed} if that is not possible because the customer's address is unknown
 */
export async function taxedForSale(ctx: Ctx, now: Date, given: Taxed): Promise<TaxedLines> {
  const { tax, lines } = given
  if (tax !== null && 'provider' in tax) {
    const { lines: taxes, recorded } = await taxByPlugin(ctx, now, tax.provider, given)
    return { lines: [...lines, ...taxes], recorded }
  }
  return { lines: tax === null ? [...lines] : taxByRate(tax, lines), recorded: {} }
}

function taxByRate(
  tax: { readonly name: string; readonly basisPoints: number },
  lines: readonly InvoiceLine[],
): InvoiceLine[] {
  const amount = partOf(sumOf(lines), BigInt(tax.basisPoints), WHOLE)
  if (amount === 0) return [...lines]
  const percent = String(tax.basisPoints / 100)
  return [...lines, taxLine({ name: tax.name, jurisdiction: null, percent }, amount)]
}

type Charged = TaxRequest['lines'][number]['kind']
const CHARGED: readonly InvoiceLine['kind'][] = [
  'subscription',
  'setup',
  'proration_charge',
] satisfies Charged[]

const isCharge = (line: InvoiceLine): line is InvoiceLine & { kind: Charged } =>
  line.amount > 0 && CHARGED.includes(line.kind)

/**
 * Charges have the tax that the plugin calculates; a credit has that of the invoice it was paid with.
 */
async function taxByPlugin(
  ctx: Ctx,
  now: Date,
  plugin: string,
  { userId, subscriptionId, currency, lines }: Taxed,
): Promise<TaxedLines> {
  const credit = sumOf(lines.filter(({ amount }) => amount < 0))
  const given =
    credit === 0 || !subscriptionId ? undefined : await taxBack(ctx, subscriptionId, credit)
  const back = given?.lines ?? []
  const ofEarlier = given?.invoiceId !== undefined && {
    back: { invoiceId: given.invoiceId, amount: -credit - sumOf(back) },
  }
  const charged = lines.filter(isCharge)
  if (charged.length === 0) return { lines: back, recorded: { ...ofEarlier } }
  const request: TaxRequest = {
    currency,
    lines: charged.map(({ kind, description, amount }, at) => ({
      ...{ id: String(at + 1), kind, description: description.slice(0, 200), amount },
    })),
    buyer: buyerOf(userId, await addressOf(ctx.db, userId)),
  }
  const question = { plugin, request }
  const quote = await findQuote(ctx.db, now, fingerprintOf(question))
  if (!quote) throw new TaxQuoteNeeded(now, question)
  const taxes = quote.taxes.map(({ amount, ...about }) => taxLine(about, amount))
  const sale = quote.ref !== null && {
    sale: { plugin, request, quoteRef: quote.ref, total: sumOf(taxes) },
  }
  return { lines: [...taxes, ...back], recorded: { ...sale, ...ofEarlier } }
}

function buyerOf(
  id: string,
  { country, postalCode, region, taxNumber }: BillingAddressRow,
): TaxRequest['buyer'] {
  if (country === '') throw new TaxFailed('The customer gave no country', 'missing')
  return { id, country, postalCode, region, taxNumber }
}

/** The tax in a credit for the last payment: the same proportion as on that invoice. */
async function taxBack(ctx: Ctx, subscriptionId: string, credit: number) {
  const paid = (await invoicesOf(ctx.db, subscriptionId)).filter(({ status }) => status === 'paid')
  const invoice = paid.findLast((invoice) => invoice.lines.some(isCharge))
  const lines = invoice?.lines ?? []
  const own = lines.filter(({ kind }) => kind !== 'tax' && kind !== 'adjustment')
  const taxes = lines.filter(({ kind }) => kind === 'tax')
  // With a fixed rate, one tax applies to what is left of a charge after its credit.
  const isNet = own.some(({ amount }) => amount < 0) && !taxes.some(({ amount }) => amount < 0)
  const base = sumOf(isNet ? own : own.filter(({ amount }) => amount > 0))
  const back = taxes.flatMap(({ amount, description, tax }) => {
    const part = amount > 0 && base > 0 ? partOf(credit, BigInt(amount), BigInt(base)) : 0
    return part === 0 ? [] : [taxLine(tax ?? withName(description), part)]
  })
  return { lines: back, invoiceId: invoice?.id }
}

/** A tax of an invoice from before its parts were stored. */
const withName = (name: string): LineTax => ({ name, jurisdiction: null, percent: null })
