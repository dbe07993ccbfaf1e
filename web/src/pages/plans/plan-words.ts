import { LIVE_STATUSES } from '@lodge/shared/limits/effective.ts'
import { ALL_LIMIT_KEYS } from '@lodge/shared/limits/keys.ts'
import type { Plan } from '@lodge/shared/plans.ts'
import { limitName, valueWords } from '../limits/limit-words.ts'

/** The number of customers with a live subscription. */
export const liveSubscribers = ({ subscribers }: Pick<Plan, 'subscribers'>): number =>
  LIVE_STATUSES.reduce((sum, status) => sum + subscribers[status], 0)

export const subscriberWords = (count: number): string =>
  count === 1 ? '1 customer has' : `${count} customers have`

const SHOWN = 3

/** The first limits of a plan in words: `Servers 3, Memory 8 GiB and 2 more`. */
export function planSummary({ limits }: Pick<Plan, 'limits'>): string {
  const parts = ALL_LIMIT_KEYS.flatMap((key) => {
    const value = limits[key]
    return value === undefined || value === null
      ? []
      : [`${limitName(key)} ${valueWords(key, value)}`]
  })
  if (parts.length === 0) return 'No limits'
  const more = parts.length - SHOWN
  return parts.slice(0, SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
