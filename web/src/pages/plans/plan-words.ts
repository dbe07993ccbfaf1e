import { LIVE_STATUSES } from '@lodge/shared/limits/effective.ts'
import { ALL_LIMIT_KEYS } from '@lodge/shared/limits/keys.ts'
import type { Plan } from '@lodge/shared/plans.ts'
import { formatMib } from '../../ui/data/numbers.ts'
import { limitName, valueWords } from '../limits/limit-words.ts'
import { t } from './words.ts'

/** The number of customers with a live subscription. */
export const liveSubscribers = ({ subscribers }: Pick<Plan, 'subscribers'>): number =>
  LIVE_STATUSES.reduce((sum, status) => sum + subscribers[status], 0)

const SHOWN = 3

/** A plan's contents in words: `Servers: 3, Memory: 8 GiB and 2 more`. */
export function planSummary(plan: Pick<Plan, 'limits' | 'preset'>): string {
  if (plan.preset?.vm)
    return t.machineOf({
      vcpus: plan.preset.vm.vcpus,
      memory: formatMib(plan.preset.memoryMb),
      disk: formatMib(plan.preset.diskMb),
    })
  if (plan.preset)
    return t.serverOf({
      memory: formatMib(plan.preset.memoryMb),
      disk: formatMib(plan.preset.diskMb),
    })
  const parts = ALL_LIMIT_KEYS.flatMap((key) => {
    const value = plan.limits[key]
    return value === undefined || value === null
      ? []
      : [t.limitIs({ limit: limitName(key), value: valueWords(key, value) })]
  })
  if (parts.length === 0) return t.noLimits
  const limits = parts.slice(0, SHOWN).join(', ')
  const count = parts.length - SHOWN
  return count > 0 ? t.andMore({ limits, count }) : limits
}
