import { z } from 'zod'
import type { Methods } from './method.ts'

// What a plugin of the kind `tax` answers: the tax on the lines of one invoice that is about to be issued.

/** Integer minor units, and the upper-case code of ISO 4217. */
const Amount = z.int().min(0).max(9_999_999_999)
const Currency = z.string().regex(/^[A-Z]{3}$/)

/** At most so many taxes on one invoice, such as those of a state, a county and a city. */
const MOST_TAXES = 20
const MOST_LINES = 20

/** Where a customer is, as they typed it. */
const TaxedBuyer = z.object({
  /** Of the customer, which stays the same. */
  id: z.uuid(),
  /** A code of ISO 3166-1, such as `DE`. */
  country: z.string().regex(/^[A-Z]{2}$/),
  /** Empty if they gave none. */
  postalCode: z.string().max(20),
  /** A state or province, such as `CA`; empty if they gave none. */
  region: z.string().max(60),
  /** Their VAT or other tax number; empty if they gave none. It may be invalid. */
  taxNumber: z.string().max(40),
})

/** A tax that an invoice shows with its amount. */
const QuotedTax = z.object({
  /** For people, such as `VAT`; without the percentage, which is written after it. */
  name: z.string().trim().min(1).max(60),
  /** Whose tax it is, such as `DE` or `California`; null if that does not matter. */
  jurisdiction: z.string().trim().min(1).max(60).nullable(),
  /** Such as `8.875`; null if it is not a percentage. */
  percent: z
    .string()
    .regex(/^\d{1,3}(\.\d{1,4})?$/)
    .nullable(),
  amount: Amount,
})

/** What a service calls something of its own. */
const Ref = z.string().min(1).max(200)

/** A tax quote as a plugin answers it. */
export const TaxQuote = z.object({
  currency: Currency,
  /** The tax on each line that was asked about, by its id; exactly these. */
  lines: z.array(z.object({ id: z.string().max(40), amount: Amount })).max(MOST_LINES),
  /** What the tax consists of; empty if there is none. Their sum is that of the lines. */
  taxes: z.array(QuotedTax).max(MOST_TAXES),
  total: Amount,
  /** What the service calls its calculation, if sales are to be recorded there: see `tax.record`. */
  ref: Ref.optional(),
})
export type TaxQuote = z.infer<typeof TaxQuote>

/** Refusals that the customer can resolve: with these codes they are asked for another address or number. */
export const TAX_REFUSALS = ['bad_address', 'bad_tax_number'] as const

/** What the tax is asked for. */
const Question = z.object({
  currency: Currency,
  lines: z
    .array(
      z.object({
        id: z.string().max(40),
        kind: z.enum(['subscription', 'setup', 'proration_charge']),
        description: z.string().max(200),
        amount: Amount.min(1),
      }),
    )
    .min(1)
    .max(MOST_LINES),
  buyer: TaxedBuyer,
})

/** By what an invoice or a credit note is found in the reports of a service. */
const Reference = z.string().min(1).max(100)

/**
 * The methods of a plugin that calculates tax. The amounts are without tax, and the quote is only for these
 * lines and this buyer. It has no effect: it may be asked for several times and need not lead to an invoice.
 * The others are for services that keep the sales for a tax return.
 */
export const TAX_METHODS = {
  /** Refused with the code `bad_address` or `bad_tax_number` if the buyer has to correct that first. */
  'tax.quote': { request: Question, reply: TaxQuote },
  /**
   * Records an invoice that was issued with a quote, only if that had a `ref`. It is repeated with the same
   * `key` until it succeeds, and is to have one effect.
   */
  'tax.record': {
    request: Question.extend({
      quoteRef: Ref,
      /** The tax of the quote, which the invoice has. */
      total: Amount,
      /** The number of the invoice. */
      reference: Reference,
      issuedAt: z.iso.datetime(),
      key: Ref,
    }),
    reply: z.object({ ref: Ref }),
  },
  /** Gives back a part of what was recorded, or all of it; repeated like that. */
  'tax.reverse': {
    request: z.object({
      recordRef: Ref,
      currency: Currency,
      /** With its tax. */
      amount: Amount.min(1),
      /** It is all of it, and nothing was given back before. */
      whole: z.boolean(),
      /** The number of the credit note, or what says why. */
      reference: Reference,
      key: Ref,
    }),
    reply: z.object({ ref: Ref }),
  },
} as const satisfies Methods

/** What is asked for. */
export type TaxRequest = z.output<(typeof TAX_METHODS)['tax.quote']['request']>

/**
 * What is wrong with a quote that has the right form, for the one who wrote the plugin; null if nothing is.
 * An invoice is made of it as it stands, so it must answer exactly what was asked and add up.
 */
export function wrongWithQuote(asked: TaxRequest, quote: TaxQuote): string | null {
  const { currency, lines, taxes, total } = quote
  if (currency !== asked.currency) return `it is in ${currency} instead of ${asked.currency}`
  if (lines.length !== asked.lines.length) return 'it has not as many lines as were asked about'
  for (const { id, amount } of asked.lines) {
    const found = lines.filter((line) => line.id === id)
    const [line] = found
    if (!line || found.length > 1) return `the line ${id} is not there exactly once`
    if (line.amount > amount) return `the tax on the line ${id} is more than its amount`
  }
  const sum = (all: readonly { readonly amount: number }[]) =>
    all.reduce((before, { amount }) => before + amount, 0)
  if (sum(lines) !== total) return `its lines add up to ${sum(lines)} instead of ${total}`
  if (sum(taxes) !== total) return `its taxes add up to ${sum(taxes)} instead of ${total}`
  return null
}

/** An invoice that is to be recorded. */
export type TaxRecord = z.output<(typeof TAX_METHODS)['tax.record']['request']>
/** What is given back of one. */
export type TaxReversal = z.output<(typeof TAX_METHODS)['tax.reverse']['request']>
