import { effective, type Layers } from './effective.ts'
import { type CapabilityKey, LIMIT_KEYS, type ListKey, type NumberKey } from './keys.ts'
import type { LimitSettings } from './settings.ts'

/** One thing that is requested. */
export type Ask =
  | { readonly key: NumberKey; readonly used: number; readonly requested: number }
  | { readonly capability: CapabilityKey }
  | { readonly list: ListKey; readonly wanted: string }

export interface Violation {
  readonly key: NumberKey | CapabilityKey | ListKey
  readonly code: 'limit_exceeded' | 'capability_denied' | 'not_allowed_by_limits'
  /** The sentence people read; for numbers exactly as published. */
  readonly message: string
  readonly origin: readonly string[]
  readonly value?: number
  readonly used?: number
  readonly requested?: number
}

/** The caller: capabilities bind only customers, and only administrators may exceed limits with `force`. */
export interface Asker {
  readonly actor: 'customer' | 'administrator'
  readonly force: boolean
}

export type Decision =
  | {
      readonly allowed: true
      readonly forced: readonly Violation[]
      readonly warned: readonly Violation[]
    }
  | { readonly allowed: false; readonly violations: readonly Violation[] }

const ORDER = { may: 0, list: 1, each: 2, total: 3 } as const
const keyOf = (ask: Ask) =>
  'key' in ask ? ask.key : 'capability' in ask ? ask.capability : ask.list

/** Checks a request against the customer's limits: capabilities first, then lists, then numbers. */
export function decide(
  settings: LimitSettings,
  layers: Layers,
  asks: readonly Ask[],
  asker: Asker,
): Decision {
  if (!settings.useLimits) return { allowed: true, forced: [], warned: [] }
  const present = settings.allowOverrides ? layers : { ...layers, customer: {} }
  const violations = asks
    .toSorted((a, b) => ORDER[LIMIT_KEYS[keyOf(a)].type] - ORDER[LIMIT_KEYS[keyOf(b)].type])
    .flatMap((ask) => violationOf(ask, present, asker) ?? [])
  if (violations.length === 0) return { allowed: true, forced: [], warned: [] }
  if (asker.actor === 'administrator' && (asker.force || settings.administrators === 'always')) {
    return { allowed: true, forced: violations, warned: [] }
  }
  if (settings.onExceed === 'warn') return { allowed: true, forced: [], warned: violations }
  return { allowed: false, violations }
}

function violationOf(ask: Ask, layers: Layers, asker: Asker): Violation | undefined {
  if ('capability' in ask) {
    const { value, origin } = effective(ask.capability, layers)
    if (value || asker.actor !== 'customer') return undefined
    const message = `${LIMIT_KEYS[ask.capability].kind} is not allowed for this account`
    return { key: ask.capability, code: 'capability_denied', message, origin }
  }
  if ('list' in ask) {
    const { value, origin } = effective(ask.list, layers)
    if (value === 'unlimited' || value.includes(ask.wanted)) return undefined
    const message = `${LIMIT_KEYS[ask.list].kind} is not available to this account`
    return { key: ask.list, code: 'not_allowed_by_limits', message, origin }
  }
  const { value, origin } = effective(ask.key, layers)
  const { used, requested } = ask
  if (value === 'unlimited' || requested <= 0 || used + requested <= value) return undefined
  const message = `This would exceed the limit of ${value} ${LIMIT_KEYS[ask.key].kind} (${used} in use, ${requested} requested)`
  return { key: ask.key, code: 'limit_exceeded', message, origin, value, used, requested }
}

/** Whether a customer may create servers themselves at all, regardless of limits. */
export function mayServeThemselves(settings: LimitSettings, layers: Layers): boolean {
  if (settings.selfService === 'off') return false
  if (settings.selfService === 'everyone') return true
  const host = settings.allowOverrides && layers.customer.mayCreateServers === true
  return host || layers.plans.some((plan) => plan.limits.mayCreateServers === true)
}

/** Percentage of a limit in use, when it is high enough for a warning. */
export function warningPercent(
  value: number | 'unlimited',
  used: number,
  warnPercent: number,
): number | undefined {
  if (value === 'unlimited' || value === 0) return undefined
  const percent = Math.floor((used * 100) / value)
  return percent >= warnPercent ? percent : undefined
}
