import { expect, test } from 'vitest'
import { SUBSCRIPTION_STATUSES } from '../plans.ts'
import { SUBSCRIPTION_EVENTS, statusAfter } from './transitions.ts'

// From the design of the statuses, written down here once more by hand.
const ALLOWED = `
  incomplete trial_granted trialing, incomplete first_paid active, incomplete checkout_over expired,
  trialing trial_paid active, trialing trial_unpaid past_due, trialing trial_over canceled,
  trialing cancel_scheduled trialing, trialing resumed trialing, trialing period_over canceled,
  trialing canceled_now canceled, trialing paused suspended, trialing changed trialing, trialing extended trialing,
  active renewed active, active renewal_unpaid past_due, active cancel_scheduled active,
  active resumed active, active period_over canceled, active canceled_now canceled,
  active paused suspended, active changed active, active extended active,
  past_due overdue_paid active, past_due place_given active, past_due grace_over suspended, past_due canceled_overdue canceled,
  past_due period_over canceled, past_due canceled_now canceled, past_due paused suspended,
  suspended overdue_paid active, suspended terminated canceled, suspended canceled_overdue canceled,
  suspended canceled_now canceled, suspended unpaused active`
  .split(',')
  .map((line) => line.trim())

test('from each status exactly the events of the design lead on, and nothing else', () => {
  const found = SUBSCRIPTION_STATUSES.flatMap((from) =>
    SUBSCRIPTION_EVENTS.flatMap((event) => {
      const to = statusAfter(from, event)
      return to === undefined ? [] : [`${from} ${event} ${to}`]
    }),
  )
  expect(found.sort()).toEqual([...ALLOWED].sort())
})

test('whatever happens in whatever order, an ended subscription stays ended', () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % below
  }
  for (let walk = 0; walk < 300; walk += 1) {
    let status: (typeof SUBSCRIPTION_STATUSES)[number] = 'incomplete'
    let ended = false
    for (let step = 0; step < 60; step += 1) {
      const event = SUBSCRIPTION_EVENTS[random(SUBSCRIPTION_EVENTS.length)] ?? 'renewed'
      const next = statusAfter(status, event)
      if (ended) expect(next).toBeUndefined()
      status = next ?? status
      ended = status === 'canceled' || status === 'expired'
    }
  }
})
