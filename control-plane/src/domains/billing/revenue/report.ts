import type {
  RevenueOfCurrency,
  RevenuePrice,
  RevenueQuery,
  RevenueReport,
} from '@lodge/shared/billing/revenue.ts'
import type { Ctx } from '../../../context.ts'
import { findPrices, planNames } from '../../plans/index.ts'
import { readSettings } from '../../settings/index.ts'
import { billingSettings } from '../settings.ts'
import { type Counted, figuresOf, nothing, type Start } from './figures.ts'
import { periodsOf } from './periods.ts'
import * as store from './report-store.ts'

type Sums = Awaited<ReturnType<typeof read>>

/**
 * Revenue and churn by month or week, separately for each currency.
 * @throws {Problem} validation_failed if there are too many periods, or they are too long ago or in
 * the future
 */
export async function revenueOf(ctx: Ctx, query: RevenueQuery): Promise<RevenueReport> {
  const zone = query.timeZone ?? (await readSettings(ctx.db, billingSettings)).timeZone
  const periods = periodsOf(query, zone, ctx.now)
  const [first, last] = [periods[0], periods.at(-1)]
  const bounds = [...periods.map(({ startMs }) => startMs), last?.endMs ?? 0]
  const span = { bounds: bounds.map((ms) => new Date(ms)), currency: query.currency }
  const sums = await read(ctx, span)
  const prices = await describePrices(ctx, sums.prices)
  const currencies = query.currency === undefined ? occurring(sums) : [query.currency]
  return {
    ...{ from: first?.from ?? '', to: last?.to ?? '', timeZone: zone, by: query.by },
    currencies: currencies.map((currency): RevenueOfCurrency => {
      const start = startOf(sums, currency)
      const counted = periods.map((_, at) => countedIn(sums, currency, at + 1))
      let { amount, customers } = start
      return {
        currency,
        total: figuresOf(start, {
          ...together(counted),
          lost: lostIn(sums.lossesInAll, currency, 1),
        }),
        periods: periods.map(({ from, to, endMs }, at) => {
          const figures = figuresOf({ amount, customers }, counted[at] ?? nothing())
          amount = figures.recurring.end
          customers = figures.customers.end
          return { from, to, running: endMs > ctx.now.getTime(), ...figures }
        }),
        prices: prices.get(currency) ?? [],
        taxes: sums.taxes
          .filter((one) => one.currency === currency)
          .map(({ currency: _, ...tax }) => tax),
      }
    }),
  }
}

const read = async ({ db, now }: Ctx, span: store.Span) => ({
  prices: await store.sumsByPrice(db, span),
  movements: await store.movements(db, span),
  losses: await store.losses(db, span),
  lossesInAll: await store.losses(db, store.asOne(span)),
  invoiced: await store.invoiced(db, span),
  creditNotes: await store.creditNotes(db, span),
  taxes: await store.taxes(db, span),
  money: await store.money(db, span),
  overdue: await store.overdue(db, span, now),
})

const occurring = (sums: Sums): string[] =>
  [...new Set(Object.values(sums).flatMap((rows) => rows.map(({ currency }) => currency)))].sort()

function startOf({ prices }: Sums, currency: string): Start {
  const own = prices.filter((one) => one.currency === currency)
  return {
    amount: own.reduce((sum, { amountAtStart }) => sum + amountAtStart, 0),
    customers: own.reduce((sum, { customersAtStart }) => sum + customersAtStart, 0),
  }
}

function countedIn(sums: Sums, currency: string, period: number): Counted {
  const counted = nothing()
  const own = <T extends { currency: string; period: number }>(rows: readonly T[]) =>
    rows.filter((row) => row.currency === currency && row.period === period)
  for (const { kind, amount, customers } of own(sums.movements)) {
    counted.recurring[kind] += amount
    if (kind === 'new' || kind === 'reactivated' || kind === 'churned')
      counted.customers[kind] += customers
  }
  Object.assign(counted.lost, lostIn(sums.losses, currency, period))
  for (const { count, net, tax } of own(sums.invoiced))
    Object.assign(counted.invoiced, { count, net, tax })
  for (const { count, net, tax } of own(sums.creditNotes))
    Object.assign(counted.creditNotes, { count, net, tax })
  for (const { kind, amount } of own(sums.money)) counted.money[kind] += amount
  for (const { fell, over, count, amount, currency: of } of sums.overdue) {
    if (of !== currency || fell > period) continue
    if (fell === period) counted.overdue.fell += count
    if (over !== null && over <= period) continue
    counted.overdue.count += count
    counted.overdue.amount += amount
  }
  return counted
}

function lostIn(losses: Sums['losses'], currency: string, period: number): Counted['lost'] {
  const { customers = 0, amount = 0 } =
    losses.find((one) => one.currency === currency && one.period === period) ?? {}
  return { customers, amount }
}

/** All periods as one; what is overdue at its end is what is overdue at the end of the last. */
function together(all: readonly Counted[]): Counted {
  const sum = nothing()
  for (const one of all)
    for (const group of ['recurring', 'customers', 'invoiced', 'creditNotes', 'money'] as const)
      addTo(sum[group], one[group])
  const { count = 0, amount = 0 } = all.at(-1)?.overdue ?? {}
  const fell = all.reduce((total, { overdue }) => total + overdue.fell, 0)
  return { ...sum, overdue: { fell, count, amount } }
}

function addTo(sum: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + value
}

async function describePrices(
  ctx: Ctx,
  sums: Sums['prices'],
): Promise<ReadonlyMap<string, RevenuePrice[]>> {
  const rows = sums.filter(
    ({ amountAtStart, amountAtEnd, came, left }) => amountAtStart + amountAtEnd + came + left > 0,
  )
  const names = await planNames(ctx.db, [...new Set(rows.map(({ planId }) => planId))])
  const known = await findPrices(
    ctx.db,
    rows.map(({ priceId }) => priceId),
  )
  const described = rows
    .map(({ currency, planId, priceId, came, left, ...row }) => {
      const { cycle = null, amount = null } = known.get(priceId) ?? {}
      const start = row.subscriptionsAtStart
      const shown: RevenuePrice = {
        ...{ planId, planName: names.get(planId) ?? null, priceId, cycle, amount },
        recurring: { start: row.amountAtStart, end: row.amountAtEnd },
        subscriptions: { start, came, left, end: start + came - left },
      }
      return [currency, shown] as const
    })
    .sort(([, a], [, b]) => b.recurring.end - a.recurring.end || (a.priceId < b.priceId ? -1 : 1))
  const byCurrency = new Map<string, RevenuePrice[]>()
  for (const [currency, price] of described)
    byCurrency.set(currency, [...(byCurrency.get(currency) ?? []), price])
  return byCurrency
}
