import { type InvoiceField, OVERDUE, type SubscriptionField } from '@lodge/shared/lists/billing.ts'
import type { FilterTerm } from '@lodge/shared/lists/filter.ts'
import { and, desc, eq, ilike, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { type Db, rowsAtMost } from '../../db/database.ts'
import { conditionsOf, exactly, like, type Matches } from '../../db/filter.ts'
import { likePattern } from '../../db/like.ts'
import { users } from '../customers/tables.ts'
import { planPrices, plans, subscriptions } from '../plans/tables.ts'
import type { InvoiceRow } from './invoice-store.ts'
import type { SubscriptionRow } from './subscription-store.ts'
import { invoices, searchedOf } from './tables.ts'

interface Wanted {
  readonly terms: readonly FilterTerm[]
  /** Only those of this customer. */
  readonly userId: string | undefined
  /** The id of the last row of the page before. */
  readonly after: string | undefined
  readonly limit: number
}

/**
 * The ids of the customers whose present address or name is like this, found once for the whole list: each by
 * its index, which an `or` of both would make look dearer than reading all customers.
 */
const customersLike = (pattern: string): SQL =>
  sql`any(array(
    select ${users.id} from ${users} where ${ilike(users.email, pattern)}
    union all select ${users.id} from ${users} where ${ilike(users.name, pattern)}))`

const stars = (value: string): string => likePattern(value, { stars: true })
const anywhere = (text: string): string => `%${likePattern(text)}%`

const hasStatus = exactly(invoices.status)
const INVOICE_MATCHES: Matches<InvoiceField> = {
  status: (value) =>
    value.toLowerCase() === OVERDUE
      ? sql`(${invoices.status} = 'open' and ${invoices.dueAt} < now())`
      : hasStatus(value),
  plan: like(invoices.planName),
  currency: (value) => sql`${invoices.currency} = ${value.toUpperCase()}`,
  // What is searched contains the columns, and has the index: it begins with the number and a space.
  number: (value) =>
    sql`(${searchedOf(invoices)} ilike ${`${stars(value)} %`} and ${ilike(invoices.number, stars(value))})`,
  customer: (value) =>
    sql`(${searchedOf(invoices)} ilike ${`% ${stars(value)}%`}
        and (${invoices.buyer} ->> 'email' ilike ${stars(value)} or ${invoices.buyer} ->> 'name' ilike ${stars(value)})
      or ${invoices.userId} = ${customersLike(stars(value))})`,
}

/** What stands on the invoice, or is true of its customer now. */
const searchedInvoices = (text: string): SQL =>
  sql`(${searchedOf(invoices)} ilike ${anywhere(text)} or ${invoices.userId} = ${customersLike(anywhere(text))})`

/** A page of the invoices that match a filter, the newest first. */
export const filteredInvoices = (
  db: Db,
  { terms, userId, after, limit }: Wanted,
): Promise<InvoiceRow[]> =>
  db
    .select()
    .from(invoices)
    .where(
      and(
        ...conditionsOf(terms, INVOICE_MATCHES, searchedInvoices),
        userId === undefined ? undefined : eq(invoices.userId, userId),
        after === undefined ? undefined : lt(invoices.id, after),
      ),
    )
    .orderBy(sql`${desc(invoices.id)} ${rowsAtMost(limit)}`)

/** The ids of the plans and prices that a filter names, by field and value. */
async function idsNamed(
  db: Db,
  terms: readonly FilterTerm[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  for (const { field, values } of terms)
    for (const value of values) {
      const rows =
        field === 'plan'
          ? await db
              .select({ id: plans.id })
              .from(plans)
              .where(ilike(plans.name, stars(value)))
          : field === 'currency'
            ? await db
                .select({ id: planPrices.id })
                .from(planPrices)
                .where(eq(planPrices.currency, value.toUpperCase()))
            : []
      found.set(
        `${field} ${value}`,
        rows.map(({ id }) => id),
      )
    }
  return found
}

/**
 * With the ids themselves instead of a query for them, PostgreSQL knows how many subscriptions they have,
 * and does not look for those of none in the whole table.
 */
const subscriptionMatches = (
  named: ReadonlyMap<string, readonly string[]>,
): Matches<SubscriptionField> => ({
  status: exactly(subscriptions.status),
  plan: (value) => inArray(subscriptions.planId, [...(named.get(`plan ${value}`) ?? [])]),
  currency: (value) => inArray(subscriptions.priceId, [...(named.get(`currency ${value}`) ?? [])]),
  customer: (value) => sql`${subscriptions.userId} = ${customersLike(stars(value))}`,
})

const searchedSubscriptions = (text: string): SQL =>
  sql`${subscriptions.userId} = ${customersLike(anywhere(text))}`

/** A page of the subscriptions that match a filter, the newest first. */
export async function filteredSubscriptions(
  db: Db,
  { terms, userId, after, limit }: Wanted,
): Promise<SubscriptionRow[]> {
  const matches = subscriptionMatches(await idsNamed(db, terms))
  return db
    .select()
    .from(subscriptions)
    .where(
      and(
        ...conditionsOf(terms, matches, searchedSubscriptions),
        userId === undefined ? undefined : eq(subscriptions.userId, userId),
        after === undefined ? undefined : lt(subscriptions.id, after),
      ),
    )
    .orderBy(sql`${desc(subscriptions.id)} ${rowsAtMost(limit)}`)
}
