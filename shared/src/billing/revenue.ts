import { z } from 'zod'
import { timeZone } from '../time-zone.ts'
import { CYCLES } from './cycles.ts'
import { Currency } from './money.ts'

/** API schemas of the report of revenue and churn. All amounts are in the smallest unit of their currency. */

/** How many periods a report has at most and usually, and the first year that it knows. */
export const REVENUE_PERIODS = { most: 60, usual: 12, sinceYear: 2000 } as const

export const REVENUE_BY = ['month', 'week'] as const

const date = z.iso.date()
export const RevenueQuery = z.object({
  periods: z.coerce
    .number()
    .int()
    .min(1)
    .max(REVENUE_PERIODS.most)
    .default(REVENUE_PERIODS.usual)
    .describe('how many, up to the last one'),
  from: date.optional().describe('a day of the first period; instead of `periods`'),
  to: date.optional().describe('a day of the last period; today if left out'),
  by: z.enum(REVENUE_BY).default('month').describe('weeks begin on Monday'),
  currency: Currency.optional().describe('all that occur if left out'),
  timeZone: timeZone.optional().describe('whose months these are; that of billing if left out'),
})
export type RevenueQuery = z.infer<typeof RevenueQuery>

export const RevenueCsvQuery = RevenueQuery.extend({
  rows: z.enum(['time', 'price', 'tax']).default('time').describe('what each row is'),
})
export type RevenueCsvQuery = z.infer<typeof RevenueCsvQuery>

const count = z.int()
const amount = z.int()
/** In hundredths of a per cent; null if there was nothing at the start. */
const rate = z.int().nullable()

/**
 * What customers did to recurring revenue: start + new + reactivated + expansion - contraction - churned is
 * the end. Everything that happens to a customer at one instant is one movement.
 */
const Recurring = z.object({
  start: amount,
  new: amount.describe('of customers who never paid in this currency before'),
  reactivated: amount.describe('of customers who had paid nothing recurring any more'),
  expansion: amount.describe(
    'more from customers who were paying: upgrades, further subscriptions',
  ),
  contraction: amount.describe('less from customers who go on paying'),
  churned: amount.describe('of customers who pay nothing recurring any more'),
  end: amount,
})
export type Recurring = z.infer<typeof Recurring>

/** Customers with recurring revenue: start + new + reactivated - churned is the end. */
const Customers = z.object({
  ...{ start: count, new: count, reactivated: count, churned: count, end: count },
})

export const RevenueFigures = z.object({
  recurring: Recurring.describe('a month, of subscriptions that are active or overdue'),
  customers: Customers,
  customerChurnBasisPoints: rate.describe(
    'of the customers at the start, those who pay nothing recurring at the end',
  ),
  revenueChurnBasisPoints: rate.describe(
    'of the revenue at the start, how much less its customers pay at the end',
  ),
  averagePerCustomer: amount
    .nullable()
    .describe('of the revenue at the end; null without customers'),
  invoiced: z
    .object({ count, net: amount, tax: amount })
    .describe('by the day of issue, before anything is taken from the balance; without void ones'),
  creditNotes: z
    .object({ count, net: amount, tax: amount })
    .describe(
      'of what went back of invoices, by the day of issue, as positive amounts; without those whose money came back',
    ),
  paid: amount.describe('money that arrived'),
  refunded: amount.describe(
    'money that went back or was lost in a dispute, also from the balance of customers; negative if more came back to it',
  ),
  credited: amount.describe('refunds to the balance of customers'),
  overdue: z
    .object({
      fell: count.describe('invoices of renewals that were not paid on their day'),
      count: count.describe('of those, still neither paid nor void at the end'),
      amount: amount.describe('the total of these, parts paid of it included'),
    })
    .describe('renewals whose payment failed or did not come'),
})
export type RevenueFigures = z.infer<typeof RevenueFigures>

const RevenuePeriod = RevenueFigures.extend({
  ...{ from: date, to: date },
  running: z.boolean().describe('not over yet'),
})
export type RevenuePeriod = z.infer<typeof RevenuePeriod>

/** What a price brought, from the start to the end of the report. */
const RevenuePrice = z.object({
  planId: z.uuid(),
  planName: z.string().nullable().describe('null if it was deleted'),
  priceId: z.uuid(),
  cycle: z.enum(CYCLES).nullable(),
  amount: amount.nullable(),
  recurring: z.object({ start: amount, end: amount }),
  subscriptions: z
    .object({ start: count, came: count, left: count, end: count })
    .describe('those that changed to another price left, too'),
})
export type RevenuePrice = z.infer<typeof RevenuePrice>

/** A tax in the time of the report, as invoices name it. */
const RevenueTax = z.object({
  name: z.string(),
  jurisdiction: z.string().nullable().describe('whose tax it is, if a plugin said so'),
  percent: z.string().nullable().describe('such as `8.875`'),
  invoiced: amount.describe('in invoices by the day of issue, without void ones'),
  credited: amount.describe('in credit notes, as a positive amount'),
})
export type RevenueTax = z.infer<typeof RevenueTax>

const RevenueOfCurrency = z.object({
  currency: z.string(),
  total: RevenueFigures,
  periods: z.array(RevenuePeriod),
  prices: z.array(RevenuePrice).describe('those with the most revenue at the end first'),
  taxes: z
    .array(RevenueTax)
    .describe('by jurisdiction and name; they add up to the tax of `total`'),
})
export type RevenueOfCurrency = z.infer<typeof RevenueOfCurrency>

export const RevenueReport = z.object({
  ...{ from: date, to: date },
  timeZone: z.string(),
  by: z.enum(REVENUE_BY),
  currencies: z.array(RevenueOfCurrency).describe('each by itself: nothing is converted'),
})
export type RevenueReport = z.infer<typeof RevenueReport>
