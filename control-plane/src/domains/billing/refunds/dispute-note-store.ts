import { and, inArray, like } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { billingSteps } from '../tables.ts'

// A refund stands for a dispute as far as its invoices have something left. One of money that has none
// left, because it went to the balance, is a step of the subscriptions that it paid for.

type Noted = 'open' | 'lost'
const stepOf = (state: Noted, about: string) => `dispute_${state} ${about}`

/** The disputes of a payment that are noted in this state, by the provider's reference. */
export async function notedDisputes(
  db: Db,
  paymentId: string,
  subscriptionIds: readonly string[],
  state: Noted,
): Promise<string[]> {
  const begins = stepOf(state, `${paymentId} `)
  const rows = await db
    .select({ step: billingSteps.step })
    .from(billingSteps)
    .where(
      and(
        inArray(billingSteps.subscriptionId, [...subscriptionIds]),
        like(billingSteps.step, `${begins.replace('_', '\\_')}%`),
      ),
    )
  return [...new Set(rows.map(({ step }) => step.slice(begins.length)))]
}

/** Notes a dispute in a state, or forgets it, with all that was noted of it before. */
export async function noteDispute(
  db: Db,
  at: Date,
  payment: { readonly id: string; readonly recordedAt: Date },
  subscriptionIds: readonly string[],
  ref: string,
  state: Noted | undefined,
): Promise<void> {
  if (subscriptionIds.length === 0) return
  const about = `${payment.id} ${ref}`
  await db
    .delete(billingSteps)
    .where(
      and(
        inArray(billingSteps.subscriptionId, [...subscriptionIds]),
        inArray(billingSteps.step, [stepOf('open', about), stepOf('lost', about)]),
      ),
    )
  if (state === undefined) return
  const note = { step: stepOf(state, about), since: payment.recordedAt, doneAt: at }
  await db
    .insert(billingSteps)
    .values(subscriptionIds.map((subscriptionId) => ({ subscriptionId, ...note })))
}

/** Whether a dispute of what was paid for a subscription is noted in this state. */
export async function hasNote(db: Db, subscriptionId: string, state: Noted): Promise<boolean> {
  const rows = await db
    .select({ step: billingSteps.step })
    .from(billingSteps)
    .where(
      and(
        inArray(billingSteps.subscriptionId, [subscriptionId]),
        like(billingSteps.step, `dispute\\_${state} %`),
      ),
    )
    .limit(1)
  return rows.length > 0
}
