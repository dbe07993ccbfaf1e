import { z } from 'zod'
import { ALL_LIMIT_KEYS, type LimitKey } from '../limits/keys.ts'

const at = z.iso.datetime()

/** What of a plan's server has a size. */
export const PLAN_RESOURCES = ['memoryMb', 'cpuPercent', 'diskMb', 'vcpus'] as const
export type PlanResource = (typeof PLAN_RESOURCES)[number]

const LimitValue = z.union([z.int(), z.literal('unlimited'), z.array(z.string()), z.boolean()])

/** One thing that a change of plan makes different for the customer, besides what it costs. */
export const ChangeEffect = z.discriminatedUnion('code', [
  z.object({
    code: z.literal('resource').describe('the server of the plan has another size'),
    resource: z.enum(PLAN_RESOURCES),
    from: z.int(),
    to: z.int(),
  }),
  z.object({
    code: z.literal('restart').describe('a machine that runs has its new size when it next starts'),
  }),
  z.object({
    code: z
      .literal('limit')
      .describe('a limit of the account, or of the server of the plan, is another one'),
    key: z.enum(ALL_LIMIT_KEYS as [LimitKey, ...LimitKey[]]),
    from: LimitValue,
    to: LimitValue,
    used: z
      .int()
      .nullable()
      .describe('null for lists and what is not counted, or if the host hides it'),
    over: z.boolean().describe('the customer has more than that already, which stays'),
  }),
  z.object({
    code: z.literal('period').describe('a new period begins with the change'),
    from: at.describe('when the present period would have ended'),
    to: at.describe('when the new one ends'),
  }),
  z.object({ code: z.literal('trial').describe('the trial goes on'), until: at }),
])
export type ChangeEffect = z.infer<typeof ChangeEffect>
export type LimitEffect = Extract<ChangeEffect, { readonly code: 'limit' }>
