import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { FROM_BALANCE } from '../invoice-store.ts'

/**
 * Queries of the revenue report, aggregated by PostgreSQL. Sums stay far below 2^53, so they are
 * exact as numbers.
 */

/** Consecutive periods, and which currency to read. */
export interface Span {
  /** When each period begins, and when the last one ends. */
  readonly bounds: readonly Date[]
  /** All if undefined. */
  readonly currency: string | undefined
}

/** All its periods as a single one. */
export const asOne = ({ bounds, currency }: Span): Span => ({
  ...{ currency, bounds: [bounds[0] as Date, bounds.at(-1) as Date] },
})

const startOf = ({ bounds }: Span): string => (bounds[0] as Date).toISOString()
const endOf = ({ bounds }: Span): string => (bounds.at(-1) as Date).toISOString()
/** The index of the period in which something happened: 0 before the first, 1 in it, and so on. */
const periodOf = (at: SQL, { bounds }: Span): SQL =>
  sql`width_bucket(${at}, ${`{${bounds.map((bound) => bound.toISOString()).join(',')}}`}::timestamptz[])`
const within = (at: SQL, span: Span): SQL =>
  sql`${at} >= ${startOf(span)}::timestamptz and ${at} < ${endOf(span)}::timestamptz`
const wanted = ({ currency }: Span): SQL =>
  sql`(${currency ?? null}::char(3) is null or currency = ${currency ?? null}::char(3))`

async function rowsOf<T>(db: Db, query: SQL): Promise<T[]> {
  const { rows } = await db.execute<Record<string, unknown>>(query)
  return rows as T[]
}

type PriceSum = {
  readonly currency: string
  readonly planId: string
  readonly priceId: string
  readonly amountAtStart: number
  readonly amountAtEnd: number
  readonly customersAtStart: number
  readonly subscriptionsAtStart: number
  readonly came: number
  readonly left: number
}

/**
 * The revenue of each price at the start and at the end, and how many subscriptions joined and left
 * it. Its `customersAtStart` is meaningful only when summed by currency.
 */
export const sumsByPrice = (db: Db, span: Span): Promise<PriceSum[]> => {
  const before = sql`at < ${startOf(span)}::timestamptz`
  return rowsOf(
    db,
    sql`
    select currency, plan_id as "planId", price_id as "priceId",
      coalesce(sum(amount) filter (where ${before}), 0)::float8 as "amountAtStart",
      sum(amount)::float8 as "amountAtEnd",
      coalesce(sum((balance > 0)::int - (balance > amount)::int)
        filter (where ${before}), 0)::int as "customersAtStart",
      coalesce(sum(sign(amount)) filter (where ${before}), 0)::int as "subscriptionsAtStart",
      count(*) filter (where amount > 0 and not ${before})::int as came,
      count(*) filter (where amount < 0 and not ${before})::int as left
    from revenue_entries
    where at < ${endOf(span)}::timestamptz and ${wanted(span)}
    group by currency, plan_id, price_id`,
  )
}

export type Movement = 'new' | 'reactivated' | 'expansion' | 'contraction' | 'churned'
type MovementSum = {
  readonly currency: string
  readonly period: number
  readonly kind: Movement
  readonly customers: number
  readonly amount: number
}

/** Movements of customers by period: all entries of a customer at the same instant count as one. */
export const movements = (db: Db, span: Span): Promise<MovementSum[]> =>
  rowsOf(
    db,
    sql`
    with moved as (
      select customer_id, currency, at, sum(amount) as amount, min(id) as first,
        (array_agg(balance - amount order by id))[1] as before
      from revenue_entries where ${within(sql`at`, span)} and ${wanted(span)}
      group by customer_id, currency, at
      having sum(amount) <> 0
    ), named as (
      select currency, ${periodOf(sql`at`, span)} as period, abs(amount) as amount, case
          when before = 0 and exists (select from revenue_entries as earlier
            where earlier.customer_id = moved.customer_id and earlier.currency = moved.currency
              and earlier.id < moved.first) then 'reactivated'
          when before = 0 then 'new'
          when before + amount = 0 then 'churned'
          when amount > 0 then 'expansion'
          else 'contraction' end as kind
      from moved
    )
    select currency, period, kind, count(*)::int as customers, sum(amount)::float8 as amount
    from named group by currency, period, kind`,
  )

type Loss = {
  readonly currency: string
  readonly period: number
  readonly customers: number
  readonly amount: number
}

/**
 * Of the customers who pay when a period begins: how many have no recurring revenue at its end, and
 * how much less those pay who pay less. Customers who joined within the period or returned before its
 * end are no loss.
 */
export const losses = (db: Db, span: Span): Promise<Loss[]> =>
  rowsOf(
    db,
    sql`
    with moved as (
      select currency, ${periodOf(sql`at`, span)} as period,
        (array_agg(balance - amount order by id))[1] as before,
        (array_agg(balance order by id desc))[1] as after
      from revenue_entries where ${within(sql`at`, span)} and ${wanted(span)}
      group by customer_id, currency, 2
    )
    select currency, period, count(*) filter (where after = 0)::int as customers,
      sum(before - after)::float8 as amount
    from moved where before > after group by currency, period`,
  )

type PapersSum = {
  readonly currency: string
  readonly period: number
  readonly count: number
  readonly net: number
  readonly tax: number
}

export const invoiced = (db: Db, span: Span): Promise<PapersSum[]> =>
  rowsOf(
    db,
    sql`
    select currency, ${periodOf(sql`issued_at`, span)} as period, count(*)::int as count,
      sum(net)::float8 as net, sum(tax)::float8 as tax
    from invoices cross join lateral (
      select coalesce(sum(amount) filter (where kind not in ('tax', 'adjustment')), 0) as net,
        coalesce(sum(amount) filter (where kind = 'tax'), 0) as tax
      from jsonb_to_recordset(lines) as line (kind text, amount bigint)) as parts
    where status <> 'void' and ${within(sql`issued_at`, span)} and ${wanted(span)}
    group by 1, 2`,
  )

/** Credit notes whose money was returned no longer count. */
export const creditNotes = (db: Db, span: Span): Promise<PapersSum[]> =>
  rowsOf(
    db,
    sql`
    select currency, ${periodOf(sql`settled_at`, span)} as period, count(*)::int as count,
      sum(amount - tax)::float8 as net, sum(tax)::float8 as tax
    from refunds join invoices on invoices.id = refunds.invoice_id
    where state = 'succeeded' and ${within(sql`settled_at`, span)} and ${wanted(span)}
    group by 1, 2`,
  )

type TaxSum = {
  readonly currency: string
  readonly name: string
  readonly jurisdiction: string | null
  readonly percent: string | null
  readonly invoiced: number
  readonly credited: number
}

/**
 * The taxes of invoices and credit notes. A credit note is split as `taxesIn` does; one from before
 * splits were stored counts by the labels on its invoice.
 */
export const taxes = (db: Db, span: Span): Promise<TaxSum[]> => {
  const named = sql`coalesce(line -> 'tax' ->> 'name', line ->> 'description') as name,
    line -> 'tax' ->> 'jurisdiction' as jurisdiction, line -> 'tax' ->> 'percent' as percent,
    (line ->> 'amount')::numeric as amount`
  return rowsOf(
    db,
    sql`
    with counted as (
      select currency, name, jurisdiction, percent, amount as invoiced, 0 as credited
      from invoices cross join lateral (
        select ${named} from jsonb_array_elements(lines) as line where line ->> 'kind' = 'tax') as part
      where status <> 'void' and ${within(sql`issued_at`, span)} and ${wanted(span)}
      union all
      select currency, name, jurisdiction, percent, 0,
        floor(tax * upto / whole) - floor(tax * (upto - part.amount) / whole)
      from refunds join invoices on invoices.id = refunds.invoice_id
      cross join lateral (
        select own.*, sum(own.amount) over (order by at) as upto, sum(own.amount) over () as whole
        from (
          select ${named}, at from jsonb_array_elements(lines) with ordinality as given (line, at)
          where line ->> 'kind' = 'tax' and (line ->> 'amount')::numeric > 0) as own) as part
      where state = 'succeeded' and ${within(sql`settled_at`, span)} and ${wanted(span)}
    )
    select currency, name, jurisdiction, percent, sum(invoiced)::float8 as invoiced,
      sum(credited)::float8 as credited
    from counted group by 1, 2, 3, 4 order by jurisdiction nulls first, name, percent::numeric`,
  )
}

type MoneySum = {
  readonly currency: string
  readonly period: number
  readonly kind: 'paid' | 'refunded' | 'credited'
  readonly amount: number
}

/**
 * Money received and refunded; failed or returned refunds do not count. What left the balance and
 * came back counts at the time of each. Payments from the
 * balance do not count: that money was received before.
 */
export const money = (db: Db, span: Span): Promise<MoneySum[]> =>
  rowsOf(
    db,
    sql`
    with moved as (
      select invoice_id, received_at as at, 'paid' as kind, amount from invoice_payments
      where ${within(sql`received_at`, span)} and provider <> ${FROM_BALANCE}
      union all
      select invoice_id, settled_at, case way when 'balance' then 'credited' else 'refunded' end, amount
      from refunds where state = 'succeeded' and ${within(sql`settled_at`, span)}
      union all
      select payment.invoice_id, entry.at, 'refunded', entry.amount
      from taken_back_entries as entry join invoice_payments as payment on payment.id = entry.payment_id
      where ${within(sql`entry.at`, span)}
    )
    select currency, ${periodOf(sql`at`, span)} as period, moved.kind, sum(moved.amount)::float8 as amount
    from moved join invoices on invoices.id = invoice_id
    where ${wanted(span)}
    group by 1, 2, 3`,
  )

type OverdueSum = {
  readonly currency: string
  /**
   * The index of the period in which it became overdue, and of that in which it stopped being so;
   * null if it has not.
   */
  readonly fell: number
  readonly over: number | null
  readonly count: number
  readonly amount: number
}

/**
 * Renewal invoices that were overdue at any time of the span. Automatic charges begin on the due date: who has
 * paid a day later was not overdue.
 */
export const overdue = (db: Db, span: Span, now: Date): Promise<OverdueSum[]> => {
  const until = sql`coalesce(paid_at, voided_at)`
  return rowsOf(
    db,
    sql`
    select currency, ${periodOf(sql`due_at`, span)} as fell, ${periodOf(until, span)} as over,
      count(*)::int as count, sum(total)::float8 as amount
    from invoices
    where kind = 'renewal' and due_at + interval '1 day' < coalesce(paid_at, voided_at, 'infinity')
      and due_at < least(${endOf(span)}::timestamptz, ${now.toISOString()}::timestamptz)
      and (${until} is null or ${until} >= ${startOf(span)}::timestamptz)
      and (status <> 'void' or voided_at is not null) and ${wanted(span)}
    group by 1, 2, 3`,
  )
}
