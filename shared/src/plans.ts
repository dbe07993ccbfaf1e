import { z } from 'zod'
import { personName } from './accounts.ts'
import { Price, PriceList } from './billing/prices.ts'
import { LimitLayer } from './limits/keys.ts'
import { ServerPlanLimits } from './limits/of-plan-server.ts'

/** States of a subscription; billing decides what each means for servers and limits. */
export const SUBSCRIPTION_STATUSES = [
  'incomplete',
  'trialing',
  'active',
  'past_due',
  'suspended',
  'canceled',
  'expired',
] as const
export const SubscriptionStatus = z.enum(SUBSCRIPTION_STATUSES)
export type SubscriptionStatus = z.infer<typeof SubscriptionStatus>

/** Why a subscription is suspended: it is not paid, its account is suspended, or the host decided so. */
export const SUSPENDED_FOR = ['unpaid', 'account', 'admin'] as const

/** Statuses that take a unit of a plan's stock. */
export const HOLDING_STATUSES = [
  'incomplete',
  'trialing',
  'active',
  'past_due',
  'suspended',
] as const satisfies readonly SubscriptionStatus[]

export const PLAN_KINDS = ['account', 'server'] as const

/** Who can buy a plan: everybody, who is signed in, who has the link, or nobody but by the host. */
export const VISIBILITIES = ['public', 'customers', 'unlisted', 'hidden'] as const
export type Visibility = (typeof VISIBILITIES)[number]

const Description = z.string().trim().max(4000)
export const Features = z.array(z.string().trim().min(1).max(120)).max(20)

/** What a plan's virtual machine has besides its size, of which `diskMb` is the system disk. */
const MachinePreset = z.strictObject({
  /** Disk images and installation media, of which the customer chooses one. */
  mediaIds: z.array(z.uuid()).min(1).max(100),
  /** Null for any that the node has. */
  networkId: z.uuid().nullable(),
  vcpus: z.int().min(1).max(512),
})

/** The server that comes with a plan. It is copied when the plan is bought. */
export const ServerPreset = z.strictObject({
  /** Of which the customer chooses one: templates, or a machine's hardware profiles. */
  templateIds: z.array(z.uuid()).min(1).max(100),
  memoryMb: z.int().min(16).max(16_777_216),
  cpuPercent: z.int().min(1).max(102_400),
  diskMb: z.int().min(1).max(1_073_741_824),
  /** Of which the customer chooses one. */
  locations: z.union([z.literal('any'), z.array(z.string().trim().min(1).max(64)).min(1).max(100)]),
  storageId: z
    .uuid()
    .optional()
    .describe(
      'a shared storage for its files or disks, which limits it to the nodes that have it; absent: as its node has it (`defaultStorageId`)',
    ),
  /** Makes it a virtual machine. */
  vm: MachinePreset.optional(),
  limits: ServerPlanLimits.optional().describe(
    'what the server may have, instead of the limits of its owner; what is not set is unlimited and allowed',
  ),
})
export type ServerPreset = z.infer<typeof ServerPreset>

const MAX_UNITS = 1_000_000
const terms = {
  description: Description,
  /** Lines for the store. */
  features: Features,
  /** Only of a server plan. */
  preset: ServerPreset,
  /** Only of an account plan. */
  limits: LimitLayer,
  /** How many may be held at once; null without a limit. */
  stock: z.int().min(0).max(MAX_UNITS).nullable(),
  /** How many of them one customer may hold at once; null without a limit. */
  perCustomerMax: z.int().min(1).max(MAX_UNITS).nullable(),
  visibility: z.enum(VISIBILITIES),
  /** Whether it is sold. */
  active: z.boolean(),
}

/** What customers subscribe to. Changing an account plan's limits affects every live subscriber at once. */
export const Plan = z.object({
  id: z.uuid(),
  name: z.string(),
  kind: z.enum(PLAN_KINDS),
  ...terms,
  preset: ServerPreset.nullable(),
  prices: z.array(Price),
  /** How many are left; null without a limit. */
  available: z.int().nullable(),
  /** The number of customers by subscription status. */
  subscribers: z.record(SubscriptionStatus, z.int()),
  /** Live subscriptions of each price that has some, the current prices first. */
  subscribersByPrice: z.array(
    Price.pick({ cycle: true, amount: true, currency: true }).extend({
      priceId: z.uuid(),
      /** No longer sold; its subscribers keep it. */
      retired: z.boolean(),
      subscribers: z.int(),
    }),
  ),
  /** When it was closed to new customers; null while it is available. */
  archivedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
})
export type Plan = z.infer<typeof Plan>

const PlanTerms = z.strictObject(terms).partial()

export const CreatePlan = PlanTerms.extend({
  name: personName.max(80),
  kind: z.enum(PLAN_KINDS),
  prices: PriceList.optional(),
}).superRefine(({ kind, preset, limits }, ctx) => {
  const wrong = (field: string, message: string) =>
    ctx.addIssue({ code: 'custom', path: [field], message })
  if (kind === 'server' && preset === undefined) wrong('preset', 'is missing for a server plan')
  if (kind === 'server' && limits !== undefined) wrong('limits', 'is only for account plans')
  if (kind === 'account' && preset !== undefined) wrong('preset', 'is only for server plans')
})
export type CreatePlan = z.infer<typeof CreatePlan>

/** What is left out stays as it is. */
export const EditPlan = PlanTerms.extend({ name: personName.max(80).optional() })
export type EditPlan = z.infer<typeof EditPlan>

export const ReplacePrices = z.strictObject({ prices: PriceList })

export const ReorderPlans = z.strictObject({ ids: z.array(z.uuid()).max(1000) })
