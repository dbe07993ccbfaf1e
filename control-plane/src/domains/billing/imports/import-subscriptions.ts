import { randomUUIDv7 } from 'node:crypto'
import { CURRENCY_DECIMALS } from '@lodge/shared/billing/currencies.ts'
import { type Cycle, periodAt, periodEnd } from '@lodge/shared/billing/cycles.ts'
import { amountToDecimal, MAX_AMOUNT } from '@lodge/shared/billing/money.ts'
import type { Db } from '../../../db/database.ts'
import { lockOwner } from '../../customers/index.ts'
import { insertPrices, priceLike } from '../../plans/index.ts'
import { stillIfPaused } from '../paused-account.ts'
import { daysAfter } from '../renewal.ts'
import { recordRevenue } from '../revenue/record.ts'
import {
  findSubscription,
  insertSubscription,
  type SubscriptionRow,
} from '../subscription-store.ts'
import { exactAmount } from './exact.ts'
import type { CustomerFound } from './import-customers.ts'
import type { PlanFound } from './import-plans.ts'
import { forEach, type Outcome, type Run, skipped, writeOnce } from './run.ts'
import type { SourceSubscription } from './source.ts'

/** Gives the host time to check the import before the first invoices go out. */
const DAYS_BEFORE_INVOICES = 1

/** What renews, at which price, and when. */
interface Renewal {
  readonly cycle: Cycle
  readonly amount: number
  readonly anchor: Date
  readonly periodStart: Date
  readonly periodEnd: Date
}

/**
 * A subscription that a server can be connected with, or why there is none; ids are null in a dry
 * run.
 */
export type SubscriptionFound =
  | {
      readonly id: string | null
      readonly userId: string | null
      readonly planId: string | null
      readonly status: SubscriptionRow['status']
    }
  | { readonly refusal: string }

/**
 * Imports subscriptions, each at the price that its customer pays; issues no invoices and sends no
 * mail.
 */
export async function importSubscriptions(
  run: Run,
  subscriptions: AsyncIterable<SourceSubscription>,
  customers: ReadonlyMap<string, CustomerFound>,
  plans: ReadonlyMap<string, PlanFound>,
): Promise<ReadonlyMap<string, SubscriptionFound>> {
  const found = new Map<string, SubscriptionFound>()
  const keep = (id: string, one: SubscriptionFound) => {
    if (run.serverIds.has(id)) found.set(id, one)
  }
  await forEach(run, 'subscription', subscriptions, async (given, before) => {
    const plan = plans.get(given.planId) ?? { refusal: 'its product is not in the export' }
    const about = 'name' in plan ? plan.name : ''
    const { id } = given
    const outcome = { kind: 'subscription', sourceId: id, about } as const
    if (before !== undefined) {
      const row = run.serverIds.has(id) ? await findSubscription(run.db, before) : undefined
      keep(id, row ?? { refusal: 'its subscription was deleted here' })
      return { ...outcome, result: 'imported before', note: '', targetId: before }
    }
    const skip = (why: string) => {
      keep(id, { refusal: `its subscription is skipped: ${why}` })
      return skipped('subscription', id, about, why)
    }
    if (given.refusal !== undefined) return skip(given.refusal)
    const customer = customers.get(given.customerId) ?? {
      refusal: 'its customer is not in the export',
    }
    if ('refusal' in customer) return skip(customer.refusal)
    if ('refusal' in plan) return skip(plan.refusal)
    const renewal = renewalOf(given, run.now)
    if (typeof renewal === 'string') return skip(renewal)
    const targetId = randomUUIDv7()
    const isNew = await writeOnce(run, { kind: 'subscription', sourceId: id, targetId }, (db) =>
      write(db, run, targetId, customer.id, plan.id, given, renewal),
    )
    if (!isNew) return skip('another import is running: import again')
    const { status } = given
    const subscriptionId = run.writes ? targetId : null
    keep(id, { id: subscriptionId, userId: customer.id, planId: plan.id, status })
    return {
      ...outcome,
      ...{ result: 'new', note: noteOn(given, renewal), targetId: subscriptionId },
    } satisfies Outcome
  })
  return found
}

/** The renewal, null if it does not renew, or why the subscription is skipped. */
function renewalOf(given: SourceSubscription, now: Date): Renewal | string | null {
  const { cycle, currency, dueAt, quantity } = given
  const isSuspended = given.status === 'suspended'
  const unit = cycle === null ? 0 : exactAmount(given.amount, currency)
  if (cycle !== null && !CURRENCY_DECIMALS.has(currency)) return 'its currency is unknown'
  if (unit === undefined) return 'its price is negative, or no amount of its currency'
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > 1_000_000)
    return 'its quantity is none'
  const amount = unit * quantity
  if (amount > MAX_AMOUNT) return 'its price is too high'
  if (cycle === null || amount === 0)
    return isSuspended ? 'it is suspended although it costs nothing more' : null
  if (dueAt === null) return 'it has no due date'
  if (isSuspended) {
    if (dueAt > now) return 'it is suspended although it is paid'
    // Its customer restores it by paying for the current period.
    const { startsAt } = periodAt(dueAt, cycle, now)
    return { cycle, amount, anchor: dueAt, ...before(startsAt, dueAt, cycle) }
  }
  const from = given.invoicedUntil
  const asked = new Date(Math.max(now.getTime(), dueAt.getTime(), from?.getTime() ?? 0))
  const { startsAt, endsAt } = periodAt(dueAt, cycle, asked)
  const next = startsAt >= asked ? startsAt : endsAt
  return { cycle, amount, anchor: dueAt, ...before(next, dueAt, cycle) }
}

/** The period that ends at a due date. */
function before(end: Date, anchor: Date, cycle: Cycle) {
  if (end <= anchor) return { periodStart: periodEnd(anchor, cycle, -1), periodEnd: end }
  return {
    periodStart: periodAt(anchor, cycle, new Date(end.getTime() - 1)).startsAt,
    periodEnd: end,
  }
}

async function write(
  db: Db,
  run: Run,
  id: string,
  userId: string | null,
  planId: string | null,
  { status, currency }: SourceSubscription,
  renewal: Renewal | null,
): Promise<void> {
  if (userId === null || planId === null || !(await lockOwner(db, userId)))
    throw new Error('a customer or a plan is gone')
  const { now } = run
  const suspended = {
    ...{ suspendedFor: 'unpaid', suspendedAt: now, pastDueSince: now },
  } as const satisfies Partial<SubscriptionRow>
  const nextAt = daysAfter(now, DAYS_BEFORE_INVOICES)
  const row = await insertSubscription(db, {
    ...{ id, userId, planId, status, createdAt: now },
    ...(renewal && {
      priceId: await priceFor(db, now, planId, currency, renewal),
      ...{ anchor: renewal.anchor, periodStart: renewal.periodStart, periodEnd: renewal.periodEnd },
      ...(await stillIfPaused(db, now, { userId }, { status, nextAt })),
    }),
    ...(status === 'suspended' && suspended),
  })
  await recordRevenue(db, now, row)
}

/** The plan's price if that is the same, otherwise one that nobody else can buy at. */
async function priceFor(
  db: Db,
  now: Date,
  planId: string,
  currency: string,
  { cycle, amount }: Renewal,
): Promise<string> {
  const terms = { planId, cycle, currency, amount }
  const present = await priceLike(db, terms)
  if (present !== undefined) return present
  const id = randomUUIDv7()
  await insertPrices(db, [{ id, ...terms, createdAt: now, retiredAt: now }])
  return id
}

function noteOn({ dueAt, currency, status }: SourceSubscription, renewal: Renewal | null): string {
  if (renewal === null) return 'it does not renew'
  const amount = `${amountToDecimal(renewal.amount, currency)} ${currency}`
  if (status === 'suspended') return `suspended; back for ${amount} ${renewal.cycle}`
  const day = (at: Date | null) => at?.toISOString().slice(0, 10)
  const renews = `${amount} ${renewal.cycle}, next on ${day(renewal.periodEnd)}`
  return day(dueAt) === day(renewal.periodEnd) ? renews : `${renews} (due on ${day(dueAt)} there)`
}
