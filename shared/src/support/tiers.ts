import { z } from 'zod'
import type { TICKET_PRIORITIES } from './ticket-words.ts'

/** API schemas of support tiers: what the desk promises to whom. */

const YEAR_MINUTES = 525_600
const minutes = z.int().min(1).max(YEAR_MINUTES).nullable().default(null)

/** What a tier promises for one priority, in minutes of its calendar; null promises nothing. */
export const Goals = z.strictObject({
  firstResponseMin: minutes.describe('from the opening to the first answer of a person'),
  nextResponseMin: minutes.describe('from a message of the customer to the next answer'),
  resolutionMin: minutes.describe('until the ticket is solved, without the time it waits'),
})
export type Goals = z.infer<typeof Goals>

/** No promise at all. */
export const NO_GOALS: Goals = {
  firstResponseMin: null,
  nextResponseMin: null,
  resolutionMin: null,
}

const goalsByPriority = z.strictObject({
  low: Goals.default(NO_GOALS),
  normal: Goals.default(NO_GOALS),
  high: Goals.default(NO_GOALS),
  urgent: Goals.default(NO_GOALS),
} satisfies Record<(typeof TICKET_PRIORITIES)[number], z.ZodType>)

export const MAX_TIERS = 50
export const WriteTier = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(80)
    .regex(/^[^\p{Cc}]+$/u),
  isDefault: z.boolean().default(false).describe('of those whose plans have no tier; one has it'),
  position: z.int().min(0).max(1000).default(0).describe('lower is better: the best one counts'),
  calendar: z.enum(['business', 'always']).default('business').describe('which time counts'),
  planIds: z
    .array(z.uuid())
    .max(500)
    .refine((ids) => new Set(ids).size === ids.length, 'names a plan twice')
    .default([])
    .describe('whose subscribers have this tier'),
  goals: goalsByPriority,
})
export type WriteTier = z.infer<typeof WriteTier>

export const Tier = WriteTier.extend({ id: z.uuid() })
export type Tier = z.infer<typeof Tier>
