import { mayServeThemselves } from '@lodge/shared/limits/check.ts'
import { effective, HOST_ORIGIN } from '@lodge/shared/limits/effective.ts'
import {
  ALL_LIMIT_KEYS,
  isNumberKey,
  LIMIT_KEYS,
  type LimitKey,
} from '@lodge/shared/limits/keys.ts'
import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import type { UserRow } from '../customers/index.ts'
import { type Standing, standingOf } from './standing.ts'
import { type ExtraUsage, readExtraUsage, type Usage, usedOf } from './usage-store.ts'

const Value = z.union([z.int(), z.literal('unlimited'), z.array(z.string()), z.boolean()])

/** Effective limits of a customer with their origin. */
export const LimitsView = z.object({
  enforced: z.boolean(),
  onExceed: z.enum(['refuse', 'warn']),
  showUsage: z.boolean(),
  overLimit: z.boolean(),
  warnPercent: z.int(),
  /** Whether self-service creation must be granted, and whether host or plan grants it. */
  grant: z.object({
    required: z.boolean(),
    granted: z.boolean(),
    source: z.enum(['customer', 'plan']).nullable(),
  }),
  /** Servers that came with a plan, which are bound by their plans instead. */
  planServers: z.int(),
  limits: z.array(
    z.object({
      key: z.enum(ALL_LIMIT_KEYS as [LimitKey, ...LimitKey[]]),
      type: z.enum(['total', 'each', 'list', 'may']),
      kind: z.string(),
      value: Value,
      used: z.int().nullable(),
      remaining: z.int().nullable(),
      percent: z.int().nullable(),
      over: z.boolean(),
      origin: z.object({
        label: z.string(),
        parts: z.array(
          z.object({
            source: z.enum(['default', 'plan', 'customer']),
            planName: z.string().nullable(),
            value: Value,
          }),
        ),
      }),
    }),
  ),
})
export type LimitsView = z.infer<typeof LimitsView>

/** @param forCustomer omits usage if the host hides it */
export async function describeLimits(
  db: Db,
  owner: UserRow,
  forCustomer: boolean,
): Promise<LimitsView> {
  const standing = await standingOf(db, owner)
  const { settings, layers } = standing
  const extra = await readExtraUsage(db, owner.id)
  const limits = describeEach(standing, extra)
  const hideUsage = forCustomer && !settings.showUsage
  return {
    enforced: settings.useLimits && owner.role === 'customer',
    onExceed: settings.onExceed,
    showUsage: settings.showUsage,
    overLimit: limits.some((limit) => limit.over),
    warnPercent: settings.warnPercent,
    grant: {
      required: settings.selfService === 'account_plans',
      granted: mayServeThemselves(settings, layers),
      source: grantSource(layers),
    },
    planServers: extra.planServers,
    limits: hideUsage
      ? limits.map((limit) => ({ ...limit, used: null, remaining: null, percent: null }))
      : limits,
  }
}

/** Each limit with its usage. */
export const describeEach = (standing: Standing, extra: ExtraUsage): LimitsView['limits'] =>
  ALL_LIMIT_KEYS.map((key) => describeOne(key, standing, standing.usage, extra))

function grantSource({ customer, plans }: Standing['layers']): 'customer' | 'plan' | null {
  if (customer.mayCreateServers === true) return 'customer'
  return plans.some((plan) => plan.limits.mayCreateServers === true) ? 'plan' : null
}

function describeOne(
  key: LimitKey,
  { layers }: Standing,
  usage: Usage,
  extra: ExtraUsage,
): LimitsView['limits'][number] {
  const { value, origin } = effective(key, layers)
  const used = isNumberKey(key) ? usedOf(usage, extra, key) : null
  const max = typeof value === 'number' ? value : null
  return {
    key,
    type: LIMIT_KEYS[key].type,
    kind: LIMIT_KEYS[key].kind,
    value,
    used,
    remaining: max === null || used === null ? null : Math.max(0, max - used),
    percent: max === null || used === null || max === 0 ? null : Math.floor((used * 100) / max),
    over: max !== null && used !== null && used > max,
    origin: { label: origin.join(' + '), parts: partsOf(key, layers) },
  }
}

function partsOf(
  key: LimitKey,
  layers: Standing['layers'],
): LimitsView['limits'][number]['origin']['parts'] {
  const all = [
    { source: 'default' as const, planName: null, value: layers.defaults[key] },
    ...layers.plans.map((plan) => ({
      source: 'plan' as const,
      planName: plan.plan,
      value: plan.limits[key],
    })),
    { source: 'customer' as const, planName: HOST_ORIGIN, value: layers.customer[key] },
  ]
  return all.flatMap((part) =>
    part.value === undefined || part.value === null
      ? []
      : [{ ...part, planName: part.source === 'plan' ? part.planName : null, value: part.value }],
  )
}
