import type { Period } from './cycles.ts'

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
  const inPeriod = secondsBetween(period.startsAt, period.endsAt)
  const left = secondsBetween(at, period.endsAt)
  const credit = prorate(change.from, left, inPeriod)
  const charge = prorate(change.to, left, inPeriod)
  return { credit, charge, due: charge - credit }
}
