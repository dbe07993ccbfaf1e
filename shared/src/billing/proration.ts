import { type Cycle, type Period, periodAt } from './cycles.ts'

const secondsBetween = (from: Date, to: Date): number =>
  Math.floor((to.getTime() - from.getTime()) / 1000)

/** The part of an amount for the seconds left of a period, in whole units, halves rounded up. */
export function prorate(amount: number, secondsLeft: number, secondsInPeriod: number): number {
  if (amount < 0 || secondsInPeriod <= 0 || secondsLeft < 0 || secondsLeft > secondsInPeriod)
    throw new RangeError('A part of an amount is between nothing and the whole')
  const whole = BigInt(secondsInPeriod)
  return Number((BigInt(amount) * BigInt(secondsLeft) * 2n + whole) / (whole * 2n))
}

/** What a change of price within a period gives back for the old and costs for the new; each line is rounded alone. */
export function prorateChange(change: { from: number; to: number; period: Period; at: Date }) {
  const { period, at } = change
  const credit = restOf(change.from, period, at)
  const charge = restOf(change.to, period, at)
  return { credit, charge, due: charge - credit }
}

/** The part of the amount of a period that is for the time from then on. */
export const restOf = (amount: number, { startsAt, endsAt }: Period, from: Date): number =>
  prorate(amount, secondsBetween(from, endsAt), secondsBetween(startsAt, endsAt))

/** What a price costs for a time, which may last several periods; each is rounded alone. */
export function costBetween(
  { amount, cycle }: { readonly amount: number; readonly cycle: Cycle },
  anchor: Date,
  { startsAt, endsAt }: Period,
): number {
  let cost = 0
  for (let from = startsAt; from < endsAt; ) {
    const period = periodAt(anchor, cycle, from)
    const until = period.endsAt < endsAt ? period.endsAt : endsAt
    cost += restOf(amount, period, from) - restOf(amount, period, until)
    from = until
  }
  return cost
}
