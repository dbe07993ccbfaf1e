import { CYCLES, type Cycle } from '@lodge/shared/billing/cycles.ts'
import { paths } from '../../../paths.ts'

export interface AskedPlan {
  readonly buy: string | null
  readonly cycle: Cycle | undefined
}

/**
 * The URL of the store that returns to this purchase after sign-in. @param plan the id in the link
 * through which they came
 */
export function buyAddress(buy: string, cycle: Cycle, plan: string | undefined): string {
  const asked = new URLSearchParams({ buy, cycle, ...(plan !== undefined && { plan }) })
  return `${paths.store}?${asked.toString()}`
}

/** The purchase that the URL of the store names. */
export function askedPlan(search: string): AskedPlan {
  const asked = new URLSearchParams(search)
  return {
    buy: asked.get('buy'),
    cycle: CYCLES.find((cycle) => cycle === asked.get('cycle')),
  }
}
