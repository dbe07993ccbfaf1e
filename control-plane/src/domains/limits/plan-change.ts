import type { LimitEffect } from '@lodge/shared/billing/change-effects.ts'
import { mayServeThemselves } from '@lodge/shared/limits/check.ts'
import { type AccountPlan, effective, type Layers } from '@lodge/shared/limits/effective.ts'
import {
  ALL_LIMIT_KEYS,
  isListKey,
  isNumberKey,
  type LimitKey,
  type LimitValue,
} from '@lodge/shared/limits/keys.ts'
import type { LimitSettings } from '@lodge/shared/limits/settings.ts'
import type { Db } from '../../db/database.ts'
import type { UserRow } from '../customers/index.ts'
import { standingOf } from './standing.ts'
import { placesInUse, readExtraUsage, usedOf } from './usage-store.ts'

/**
 * What one account plan in place of another makes of a customer's limits, and what of theirs is
 * beyond the new ones.
 */
export async function limitsWithPlan(
  db: Db,
  owner: UserRow,
  from: string,
  to: AccountPlan,
): Promise<LimitEffect[]> {
  const { settings, layers, usage } = await standingOf(db, owner)
  if (!settings.useLimits || owner.role !== 'customer') return []
  const next = { ...layers, plans: replaced(layers.plans, from, to) }
  const changed = ALL_LIMIT_KEYS.filter(
    (key) => !isSame(limitWith(settings, key, layers), limitWith(settings, key, next)),
  )
  if (changed.length === 0) return []
  const extra = await readExtraUsage(db, owner.id)
  const places = await placesInUse(db, owner.id)
  return changed.map((key) => {
    const value = limitWith(settings, key, next)
    const used = isNumberKey(key) ? usedOf(usage, extra, key) : null
    const lacks = (inUse: readonly string[]) =>
      Array.isArray(value) && inUse.some((one) => !value.includes(one))
    return {
      ...{ code: 'limit', key, from: limitWith(settings, key, layers), to: value },
      used: settings.showUsage ? used : null,
      over: isListKey(key)
        ? lacks(places[key])
        : used !== null && typeof value === 'number' && used > value,
    }
  })
}

/** One plan of this name for the other: somebody may have the same one several times. */
function replaced(
  plans: readonly AccountPlan[],
  from: string,
  to: AccountPlan,
): readonly AccountPlan[] {
  const at = plans.findIndex(({ plan }) => plan === from)
  return at < 0 ? [...plans, to] : plans.with(at, to)
}

/** Creating servers may need a plan that grants it, whatever else says yes. */
function limitWith(settings: LimitSettings, key: LimitKey, layers: Layers): LimitValue {
  const { value } = effective(key, layers)
  return key === 'mayCreateServers' ? value && mayServeThemselves(settings, layers) : value
}

const isSame = (one: LimitValue, other: LimitValue): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
