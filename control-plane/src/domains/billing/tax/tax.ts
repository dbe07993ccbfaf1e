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
  return { lines: [...lines, ...(await taxByRate(ctx, tax, given))], recorded: {} }
}

interface Rate {
  readonly name: string
  readonly basisPoints: number
}

/**
 * One tax on the sum of the lines. If a credit was paid with another tax, or none, it has that of its
 * invoice, and only the charges have the present one.
 */
async function taxByRate(
  ctx: Ctx,
  rate: Rate | null,
  { subscriptionId, lines }: Taxed,
): Promise<InvoiceLine[]> {
  const credit = creditIn(lines)
  const back =
    credit === 0 || !subscriptionId ? undefined : await taxBack(ctx, subscriptionId, credit)
  const isOther = back?.invoiceId !== undefined && !hasRate(back.lines, rate)
  if (!isOther) return taxAt(rate, sumOf(lines))
  return [...taxAt(rate, sumOf(lines) - credit), ...back.lines]
}

const creditIn = (lines: readonly InvoiceLine[]): number =>
  sumOf(lines.filter(({ amount }) => amount < 0))

const percentOf = ({ basisPoints }: Rate): string => String(basisPoints / 100)

function taxAt(rate: Rate | null, base: number): InvoiceLine[] {
  const amount = rate ? partOf(base, BigInt(rate.basisPoints), WHOLE) : 0
  if (!rate || amount === 0) return []
  return [taxLine({ name: rate.name, jurisdiction: null, percent: percentOf(rate) }, amount)]
}

const hasRate = (taxes: readonly InvoiceLine[], rate: Rate | null): boolean =>
  rate === null || rate.basisPoints === 0
    ? taxes.length === 0
    : taxes.length === 1 && Number(taxes[0]?.tax?.percent) === rate.basisPoints / 100

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
  const credit = creditIn(lines)
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

const RATE_DIGITS = 4

/** The percentage of a tax in units of its last digit; 0 if it is unknown. */
const rateOf = (tax: LineTax | undefined): bigint =>
  BigInt(Math.round(Number(tax?.percent ?? 0) * 10 ** RATE_DIGITS))

const atRate = (amount: number, rate: bigint): number =>
  partOf(amount, rate, 100n * 10n ** BigInt(RATE_DIGITS))

/**
 * The tax in a credit for the last payment: that of its invoice, at the same rate, or in proportion if it had
 * no rate for all of it.
 */
async function taxBack(ctx: Ctx, subscriptionId: string, credit: number) {
  const paid = (await invoicesOf(ctx.db, subscriptionId)).filter(({ status }) => status === 'paid')
  const invoice = paid.findLast((invoice) => invoice.lines.some(isCharge))
  const lines = invoice?.lines ?? []
  const own = lines.filter(({ kind }) => kind !== 'tax' && kind !== 'adjustment')
  const taxes = lines.filter(({ kind }) => kind === 'tax')
  const charges = sumOf(own.filter(({ amount }) => amount > 0))
  // With a fixed rate, one tax applies to what is left of a charge after its credit.
  const isNet = own.some(({ amount }) => amount < 0) && !taxes.some(({ amount }) => amount < 0)
  const base = isNet ? sumOf(own) : charges
  const back = taxes.flatMap(({ amount, description, tax }) => {
    const rate = rateOf(tax)
    const isAtRate = [charges, sumOf(own)].some((of) => rate > 0n && amount === atRate(of, rate))
    const inProportion = amount > 0 && base > 0 ? partOf(credit, BigInt(amount), BigInt(base)) : 0
    const part = isAtRate ? atRate(credit, rate) : inProportion
    return part === 0 ? [] : [taxLine(tax ?? withName(description), part)]
  })
  return { lines: back, invoiceId: invoice?.id }
}

/** A tax of an invoice from before its parts were stored. */
const withName = (name: string): LineTax => ({ name, jurisdiction: null, percent: null })
