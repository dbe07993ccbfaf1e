import type { LimitEffect } from '@lodge/shared/billing/change-effects.ts'
import type { Ask, Asker, Decision, Violation } from '@lodge/shared/limits/check.ts'
import { isNumberKey } from '@lodge/shared/limits/keys.ts'
import {
  isServerPlanKey,
  SERVER_PLAN_KEYS,
  type ServerPlan,
  type ServerPlanKey,
  type ServerPlanLimits,
  usedOfPlan,
  valueInPlan,
} from '@lodge/shared/limits/of-plan-server.ts'
import type { LimitSettings } from '@lodge/shared/limits/settings.ts'
import type { Db } from '../../db/database.ts'
import { exhausted, notIncluded } from './plan-refusals.ts'
import { type PlanTerms, planTermsOf } from './plan-server-store.ts'

const keyOf = (ask: Ask): string =>
  'key' in ask ? ask.key : 'capability' in ask ? ask.capability : ask.list

/** Those of the requests that the plan of a server can refuse. */
export const asksOfPlan = (asks: readonly Ask[]): readonly Ask[] =>
  asks.filter((ask) => isServerPlanKey(keyOf(ask)))

/**
 * Checks requests for a server that came with a plan against what the plan includes. That was sold, so it
 * applies whether or not the host limits accounts.
 */
export function decideByPlan(
  { administrators }: Pick<LimitSettings, 'administrators'>,
  terms: PlanTerms,
  asks: readonly Ask[],
  asker: Asker,
): Decision {
  const violations = asks
    .toSorted((one, other) => Number('key' in one) - Number('key' in other))
    .flatMap((ask) => violationOf(terms, ask, asker) ?? [])
  if (violations.length === 0) return { allowed: true, forced: [], warned: [] }
  if (asker.actor === 'administrator' && (asker.force || administrators === 'always'))
    return { allowed: true, forced: violations, warned: [] }
  return { allowed: false, violations }
}

function violationOf(terms: PlanTerms, ask: Ask, { actor }: Asker): Violation | undefined {
  const { plan, limits, used: inUse } = terms
  if ('capability' in ask) {
    const key = ask.capability
    if (!isServerPlanKey(key) || valueInPlan(limits, key) !== false || actor !== 'customer')
      return undefined
    const message = notIncluded(key, plan)
    return { key, code: 'capability_denied', message, origin: [plan] }
  }
  if (!('key' in ask) || !isServerPlanKey(ask.key) || !isNumberKey(ask.key)) return undefined
  const { key, requested } = ask
  const value = valueInPlan(limits, key)
  const used = inUse[key]
  if (typeof value !== 'number' || requested <= 0 || used + requested <= value) return undefined
  const message =
    value === 0 ? notIncluded(key, plan) : exhausted(key, { plan, value, used, requested })
  return { key, code: 'limit_exceeded', message, origin: [plan], value, used, requested }
}

/**
 * What another plan makes of the limits of a server, and what the server has beyond the new ones.
 * @param serverId undefined if it is not made yet
 */
export async function serverLimitsWithPlan(
  db: Db,
  serverId: string | undefined,
  from: ServerPlanLimits = {},
  to: ServerPlanLimits = {},
): Promise<LimitEffect[]> {
  const changed = SERVER_PLAN_KEYS.filter((key) => valueInPlan(from, key) !== valueInPlan(to, key))
  if (changed.length === 0) return []
  const inUse = serverId ? (await planTermsOf(db, serverId))?.used : undefined
  return changed.map((key) => {
    const value = valueInPlan(to, key)
    const used = usedOfPlan(inUse ?? {}, key)
    const most = typeof value === 'number' ? value : value === false ? 0 : undefined
    return {
      ...{ code: 'limit', key, from: valueInPlan(from, key), to: value, used },
      over: most !== undefined && used !== null && used > most,
    }
  })
}

/** What the plan of a server includes; only what the plan sets. */
export async function serverPlanOf(db: Db, serverId: string): Promise<ServerPlan> {
  const terms = await planTermsOf(db, serverId)
  if (!terms) return { plan: null, limits: [] }
  const { plan, limits, used } = terms
  const isSet = (key: ServerPlanKey): boolean => (limits[key] ?? null) !== null
  return {
    plan,
    limits: SERVER_PLAN_KEYS.filter(isSet).map((key) => ({
      ...{ key, value: valueInPlan(limits, key), used: usedOfPlan(used, key) },
    })),
  }
}
