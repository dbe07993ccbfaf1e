import type { TaxQuote, TaxRequest } from '../../shared/src/plugins/tax.ts'
import type { Host } from '../sdk/index.ts'
import type { Json, Stripe } from './api.ts'
import { fromStripe, toStripe } from './money.ts'
import { currencyOf, listOf, numberOf } from './read.ts'

const EU = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(
  ' ',
)
/** Stripe's types of tax ids of businesses by country (docs.stripe.com/tax, customer tax ids). */
const NUMBER_TYPES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(EU.map((country) => [country, 'eu_vat'])),
  ...{ AU: 'au_abn', CA: 'ca_gst_hst', CH: 'ch_vat', GB: 'gb_vat', IN: 'in_gst', IS: 'is_vat' },
  ...{ JP: 'jp_trn', KR: 'kr_brn', MX: 'mx_rfc', NO: 'no_vat', NZ: 'nz_gst', SG: 'sg_gst' },
  ...{ TR: 'tr_tin', TW: 'tw_vat', UA: 'ua_vat', ZA: 'za_vat' },
}
const NAMES: Readonly<Record<string, string>> = {
  ...{ vat: 'VAT', gst: 'GST', hst: 'HST', pst: 'PST', qst: 'QST', igst: 'IGST', jct: 'JCT' },
  sales_tax: 'Sales tax',
}
/** Stripe's errors about the customer's input. */
const REFUSALS: Readonly<Record<string, string>> = {
  customer_tax_location_invalid: 'bad_address',
  tax_id_invalid: 'bad_tax_number',
}

/** The tax quote for one of our invoices. */
export const quoteTax = async (host: Host, stripe: Stripe, asked: TaxRequest): Promise<TaxQuote> =>
  quoteOf(await calculate(host, stripe, asked))

/** Has Stripe Tax calculate the tax of one of our invoices. */
export async function calculate(host: Host, stripe: Stripe, asked: TaxRequest): Promise<Json> {
  const { currency, lines, buyer } = asked
  const { country, postalCode, region, taxNumber } = buyer
  const { taxCode } = host.settings
  const type = NUMBER_TYPES[country]
  return calculated(host, () =>
    stripe.post('/tax/calculations', {
      currency: currency.toLowerCase(),
      line_items: lines.map(({ id, amount }) => ({
        ...{ reference: id, amount: toStripe(amount, currency), tax_behavior: 'exclusive' },
        ...(typeof taxCode === 'string' && taxCode !== '' && { tax_code: taxCode }),
      })),
      customer_details: {
        address: {
          country,
          ...(postalCode !== '' && { postal_code: postalCode }),
          ...(region !== '' && { state: region }),
        },
        address_source: 'billing',
        // Stripe supports no tax ids of other countries, whose buyers are taxed as consumers.
        ...(taxNumber !== '' && type && { tax_ids: [{ type, value: taxNumber }] }),
      },
      expand: ['line_items'],
    }),
  )
}

/** Maps Stripe's errors about an address or a tax id to ours. */
async function calculated(host: Host, ask: () => Promise<Json>): Promise<Json> {
  try {
    return await ask()
  } catch (error) {
    const { code, message } = Object(error) as { code?: unknown; message?: unknown }
    const refusal = REFUSALS[String(code)]
    throw refusal === undefined ? error : host.refusal(refusal, String(message))
  }
}

export function quoteOf(found: Json): TaxQuote {
  const currency = currencyOf(found)
  const lines = listOf(found.line_items)
  const taxes = breakdownOf(found).filter(
    ({ amount, taxability_reason: why }) => numberOf(amount) > 0 || why === 'reverse_charge',
  )
  const ofLines = inOurUnits(
    lines.map(({ amount_tax: amount }) => numberOf(amount)),
    currency,
  )
  const ofTaxes = inOurUnits(
    taxes.map(({ amount }) => numberOf(amount)),
    currency,
  )
  return {
    currency,
    lines: lines.map(({ reference }, at) => ({ id: String(reference), amount: ofLines[at] ?? 0 })),
    taxes: taxes.map((one, at) => ({ ...aboutTax(one), amount: ofTaxes[at] ?? 0 })),
    total: fromStripe(numberOf(found.tax_amount_exclusive), currency),
    ref: String(found.id),
  }
}

const breakdownOf = ({ tax_breakdown: all }: Json): Json[] =>
  Array.isArray(all) ? all.map((one) => Object(one) as Json) : []

/** Converts Stripe's amounts to ours, rounded so that they add up to the rounded sum. */
function inOurUnits(amounts: readonly number[], currency: string): number[] {
  let sum = 0
  return amounts.map((amount) => {
    const before = fromStripe(sum, currency)
    sum += amount
    return fromStripe(sum, currency) - before
  })
}

function aboutTax({ tax_rate_details: details, taxability_reason: why }: Json) {
  const { country, state, percentage_decimal: percentage, tax_type: type } = Object(details) as Json
  const name = NAMES[String(type)] ?? 'Tax'
  const place = [country, state].filter((part) => typeof part === 'string' && part !== '')
  const percent = Number(percentage)
  return {
    name: why === 'reverse_charge' ? `${name} reverse charge` : name,
    jurisdiction: place.length === 0 ? null : place.join('-'),
    percent: Number.isFinite(percent) ? String(Number(percent.toFixed(4))) : null,
  }
}
