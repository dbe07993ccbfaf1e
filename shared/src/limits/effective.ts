import {
  type CapabilityKey,
  LIMIT_KEYS,
  type LimitKey,
  type LimitLayer,
  type LimitList,
  type LimitNumber,
  type LimitValue,
  type ListKey,
  type NumberKey,
} from './keys.ts'

export const HOST_ORIGIN = 'set by the host'

/** A subscription to an account plan, reduced to what limits need. */
export interface AccountPlan {
  readonly plan: string
  readonly limits: LimitLayer
}

/** The three layers of one customer. Plans are those with a live subscription, one entry each. */
export interface Layers {
  readonly defaults: LimitLayer
  readonly plans: readonly AccountPlan[]
  /** Values set by hand; empty when overrides are disabled. */
  readonly customer: LimitLayer
}

/** Subscription statuses in which a plan's limits and grants apply. */
export const LIVE_STATUSES = ['trialing', 'active', 'past_due'] as const

export interface Effective<V extends LimitValue = LimitValue> {
  readonly value: V
  /** Where the value comes from: `default`, names of plans, or `set by the host`. */
  readonly origin: readonly string[]
}
type ValueOf<K extends LimitKey> = K extends NumberKey
  ? LimitNumber
  : K extends ListKey
    ? LimitList
    : K extends CapabilityKey
      ? boolean
      : never

interface Part {
  readonly from: string
  readonly value: LimitValue
}

/** The effective value for a customer and its origin. Nothing set anywhere means unlimited and yes. */
export function effective<K extends LimitKey>(key: K, layers: Layers): Effective<ValueOf<K>> {
  const own = layers.customer[key]
  const found =
    own !== undefined && own !== null
      ? { value: own, origin: [HOST_ORIGIN] }
      : merge(key, partsOf(key, layers))
  return found as Effective<ValueOf<K>>
}

function partsOf(key: LimitKey, { defaults, plans }: Layers): Part[] {
  const parts = [
    { from: 'default', value: defaults[key] },
    ...plans.map((plan) => ({ from: plan.plan, value: plan.limits[key] })),
  ]
  return parts.filter((part): part is Part => part.value !== undefined && part.value !== null)
}

function merge(key: LimitKey, parts: readonly Part[]): Effective {
  const { type } = LIMIT_KEYS[key]
  if (parts.length === 0) return { value: type === 'may' ? true : 'unlimited', origin: ['default'] }
  if (type === 'may') return from(parts.find((part) => part.value === true) ?? parts[0])
  const unlimited = parts.find((part) => part.value === 'unlimited')
  if (unlimited) return from(unlimited)
  if (type === 'each')
    return from(
      parts.reduce((most, part) => (Number(part.value) > Number(most.value) ? part : most)),
    )
  const origin = parts.map((part) => part.from)
  if (type === 'total')
    return { value: parts.reduce((sum, part) => sum + Number(part.value), 0), origin }
  return {
    value: [
      ...new Set(parts.flatMap((part) => (Array.isArray(part.value) ? part.value : []))),
    ].sort(),
    origin,
  }
}

const from = (part: Part | undefined): Effective =>
  part ? { value: part.value, origin: [part.from] } : { value: true, origin: ['default'] }
