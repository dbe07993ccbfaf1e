import {
  SERVER_PLAN_KEYS,
  type ServerPlanKey,
  type ServerPlanLimits,
} from '@lodge/shared/limits/of-plan-server.ts'
import {
  type EditPlan,
  Features,
  type Plan,
  ServerPreset,
  type Visibility,
} from '@lodge/shared/plans.ts'
import { z } from 'zod'
import { DraftSchema, draftOf, type LimitDraft, layerOf, readLimit } from '../limits/limit-draft.ts'
import { t } from './words.ts'

/** The values of the plan form: limits, of the account or of the server, as text, features one per line. */
export interface PlanValues extends LimitDraft {
  readonly name: string
  readonly description: string
  readonly features: string
  readonly visibility: Visibility
  readonly active: boolean
  readonly stock: number | undefined
  readonly perCustomerMax: number | undefined
  readonly workload: 'container' | 'vm'
  /** Ids of templates, or of hardware profiles. */
  readonly templateIds: readonly string[]
  readonly mediaIds: readonly string[]
  /** Empty for any. */
  readonly networkId: string
  readonly vcpus: number | undefined
  /** Empty for any. */
  readonly locations: readonly string[]
  /** Empty for what its node does. */
  readonly storageId: string
  readonly memoryMb: number | undefined
  readonly cpuPercent: number | undefined
  readonly diskMb: number | undefined
}

export const valuesOf = (plan: Plan | undefined): PlanValues => ({
  ...draftOf(plan?.preset?.limits ?? plan?.limits ?? {}),
  name: plan?.name ?? '',
  description: plan?.description ?? '',
  features: plan?.features.join('\n') ?? '',
  visibility: plan?.visibility ?? 'hidden',
  active: plan?.active ?? true,
  stock: plan?.stock ?? undefined,
  perCustomerMax: plan?.perCustomerMax ?? undefined,
  workload: plan?.preset?.vm ? 'vm' : 'container',
  templateIds: plan?.preset?.templateIds ?? [],
  mediaIds: plan?.preset?.vm?.mediaIds ?? [],
  networkId: plan?.preset?.vm?.networkId ?? '',
  vcpus: plan?.preset?.vm?.vcpus ?? 1,
  locations: plan?.preset && plan.preset.locations !== 'any' ? plan.preset.locations : [],
  storageId: plan?.preset?.storageId ?? '',
  memoryMb: plan?.preset?.memoryMb ?? 2048,
  cpuPercent: plan?.preset?.cpuPercent ?? 100,
  diskMb: plan?.preset?.diskMb ?? 10_240,
})

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const serverLimits = DraftSchema.pick(
  Object.fromEntries(SERVER_PLAN_KEYS.map((key) => [key, true])) as Record<ServerPlanKey, true>,
)

/** The limits of a valid draft that are set. */
const serverLimitsOf = (draft: LimitDraft): ServerPlanLimits =>
  Object.fromEntries(
    SERVER_PLAN_KEYS.flatMap((key) => {
      const value = readLimit(key, draft[key])
      return value === null || value === undefined ? [] : [[key, value]]
    }),
  )

/** The fields of an account plan and a server plan, as schemas of the form. */
export const schemaOf = (kind: Plan['kind'], terms: typeof EditPlan) => {
  const { name, description, stock, perCustomerMax } = terms.shape
  const common = z.object({
    ...{ name, description, stock: stock.unwrap(), perCustomerMax: perCustomerMax.unwrap() },
    features: z.string().refine((text) => Features.safeParse(linesOf(text)).success, {
      error: () => t.featuresTooLong,
    }),
  })
  if (kind === 'account') return DraftSchema.and(common)
  const { templateIds, memoryMb, cpuPercent, diskMb } = ServerPreset.shape
  const { vcpus } = ServerPreset.shape.vm.unwrap().shape
  return common
    .extend({ templateIds, memoryMb, cpuPercent, diskMb, vcpus })
    .extend({ workload: z.string(), mediaIds: z.array(z.string()) })
    .extend(serverLimits.shape)
    .refine(({ workload, mediaIds }) => workload !== 'vm' || mediaIds.length > 0, {
      path: ['mediaIds'],
      error: () => t.mediaMissing,
    })
}

export const bodyOf = (kind: Plan['kind'], values: PlanValues) => {
  const { name, description, features, visibility, active, stock, perCustomerMax, ...rest } = values
  const { templateIds, locations, storageId, memoryMb, cpuPercent, diskMb, ...others } = rest
  const { workload, mediaIds, networkId, vcpus, ...limits } = others
  const preset = {
    ...{ templateIds, memoryMb, cpuPercent, diskMb },
    ...(workload === 'vm' && { vm: { mediaIds, networkId: networkId || null, vcpus } }),
    locations: locations.length === 0 ? 'any' : locations,
    ...(storageId !== '' && { storageId }),
    limits: serverLimitsOf(limits),
  }
  return {
    ...{ name, description, visibility, active, features: linesOf(features) },
    stock: stock ?? null,
    perCustomerMax: perCustomerMax ?? null,
    ...(kind === 'account' ? { limits: layerOf(limits) } : { preset }),
  }
}

/** What differs from the plan as it is. */
export const changesOf = (kind: Plan['kind'], before: PlanValues, values: PlanValues) => {
  const was = new Map<string, unknown>(Object.entries(bodyOf(kind, before)))
  return Object.fromEntries(
    Object.entries(bodyOf(kind, values)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(was.get(name)),
    ),
  )
}

/** The value for the schema: an empty number is absent. */
export const checkedOf = (values: PlanValues) => ({
  ...values,
  stock: values.stock ?? null,
  perCustomerMax: values.perCustomerMax ?? null,
})
