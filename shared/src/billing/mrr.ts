import type { Cycle } from './cycles.ts'

/** How many of each cycle fit into so many months; 52 weeks are a year. */
const PER_MONTHS: Record<Cycle, { readonly times: number; readonly months: number }> = {
  weekly: { times: 52, months: 12 },
  monthly: { times: 1, months: 1 },
  quarterly: { times: 1, months: 3 },
  semiannual: { times: 1, months: 6 },
  yearly: { times: 1, months: 12 },
  biennial: { times: 1, months: 24 },
  triennial: { times: 1, months: 36 },
}

/**
 * What a price brings in a month, in the smallest unit of its currency: longer cycles are divided by
 * their months, weeks count as 52 in twelve months. Each price is rounded by itself, halves up, so that
 * the sum of subscriptions never depends on how they are grouped.
 */
export function monthlyAmount(amount: number, cycle: Cycle): number {
  const { times, months } = PER_MONTHS[cycle]
  const whole = BigInt(months)
  return Number((BigInt(amount) * BigInt(times) * 2n + whole) / (whole * 2n))
}
