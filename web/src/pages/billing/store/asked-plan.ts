import { CYCLES, type Cycle } from '@lodge/shared/billing/cycles.ts'
import { paths } from '../../../paths.ts'

export interface AskedPlan {
  readonly buy: string | null
  readonly cycle: Cycle | undefined
}

/** The store as it is for who wants to buy this, after sign-in. @param plan the link by which they came */
export function buyAddress(buy: string, cycle: Cycle, plan: string | undefined): string {
  const asked = new URLSearchParams({ buy, cycle, ...(plan !== undefined && { plan }) })
  return `${paths.store}?${asked.toString()}`
}

/** What the address of the store says that somebody wants to buy. */
export function askedPlan(search: string): AskedPlan {
  const asked = new URLSearchParams(search)
  return {
    buy: asked.get('buy'),
    cycle: CYCLES.find((cycle) => cycle === asked.get('cycle')),
  }
}
