import type { RevenueFigures } from '@lodge/shared/billing/revenue.ts'

const WHOLE = 10_000n

/** A quotient rounded to an integer, halves up. */
const divided = (part: bigint, whole: bigint): number => Number((part * 2n + whole) / (whole * 2n))

const rateOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : divided(BigInt(part) * WHOLE, BigInt(whole))

/** What is counted within a period, from zero. */
export interface Counted {
  readonly recurring: Record<
    'new' | 'reactivated' | 'expansion' | 'contraction' | 'churned',
    number
  >
  readonly customers: Record<'new' | 'reactivated' | 'churned', number>
  /**
   * Of the customers at the start: how many are gone at the end, and how much less all of them pay.
   */
  readonly lost: Record<'customers' | 'amount', number>
  readonly invoiced: Record<'count' | 'net' | 'tax', number>
  readonly creditNotes: Record<'count' | 'net' | 'tax', number>
  readonly money: Record<'paid' | 'refunded' | 'credited', number>
  readonly overdue: Record<'fell' | 'count' | 'amount', number>
}
export const nothing = (): Counted => ({
  recurring: { new: 0, reactivated: 0, expansion: 0, contraction: 0, churned: 0 },
  customers: { new: 0, reactivated: 0, churned: 0 },
  lost: { customers: 0, amount: 0 },
  invoiced: { count: 0, net: 0, tax: 0 },
  creditNotes: { count: 0, net: 0, tax: 0 },
  money: { paid: 0, refunded: 0, credited: 0 },
  overdue: { fell: 0, count: 0, amount: 0 },
})

/** Recurring revenue and customers at the start of a period. */
export interface Start {
  readonly amount: number
  readonly customers: number
}

/** The figures of a period, from its start and what happened in it. */
export function figuresOf(start: Start, counted: Counted): RevenueFigures {
  const { recurring, customers, lost, invoiced, creditNotes, money, overdue } = counted
  const gained = recurring.new + recurring.reactivated + recurring.expansion
  const end = start.amount + gained - recurring.contraction - recurring.churned
  const customersAtEnd = start.customers + customers.new + customers.reactivated - customers.churned
  return {
    recurring: { start: start.amount, ...recurring, end },
    customers: { start: start.customers, ...customers, end: customersAtEnd },
    customerChurnBasisPoints: rateOf(lost.customers, start.customers),
    revenueChurnBasisPoints: rateOf(lost.amount, start.amount),
    averagePerCustomer: customersAtEnd === 0 ? null : divided(BigInt(end), BigInt(customersAtEnd)),
    invoiced: { ...invoiced },
    creditNotes: { ...creditNotes },
    ...money,
    overdue: { ...overdue },
  }
}
