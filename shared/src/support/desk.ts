import { z } from 'zod'
import { FIELD_TYPES, GROUP_ASSIGNMENTS, TICKET_PRIORITIES } from './ticket-words.ts'

/** API schemas of how the support desk is arranged: categories, groups, settings. */

const line = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^[^\p{Cc}]+$/u)

/** A question that a ticket of a category answers. */
export const CategoryField = z
  .strictObject({
    key: z
      .string()
      .max(40)
      .regex(/^[a-z][a-z0-9_]*$/, 'must be lower-case letters, digits and underscores'),
    label: line(100),
    type: z.enum(FIELD_TYPES),
    required: z.boolean().default(false),
    choices: z.array(line(100)).max(50).default([]).describe('of a `select`, and of nothing else'),
  })
  .refine(({ type, choices }) => (type === 'select') === choices.length > 0, {
    path: ['choices'],
    message: 'are what a select needs, and nothing else has',
  })
export type CategoryField = z.infer<typeof CategoryField>

export const MAX_CATEGORIES = 100
export const MAX_CATEGORY_FIELDS = 20
export const WriteCategory = z.strictObject({
  name: line(80),
  description: z.string().trim().max(500).default(''),
  groupId: z.uuid().nullable().default(null).describe('where its tickets go'),
  defaultPriority: z.enum(TICKET_PRIORITIES).default('normal'),
  fields: z
    .array(CategoryField)
    .max(MAX_CATEGORY_FIELDS)
    .refine((fields) => new Set(fields.map(({ key }) => key)).size === fields.length, {
      message: 'must have different keys',
    })
    .default([]),
  requiresServer: z.boolean().default(false).describe('a ticket must name a server'),
  position: z.int().min(0).max(100_000).default(0),
  active: z.boolean().default(true).describe('false archives it: no new ticket is of it'),
})
export type WriteCategory = z.infer<typeof WriteCategory>

/** A category as the desk sees it. */
export const Category = WriteCategory.extend({ id: z.uuid() })
export type Category = z.infer<typeof Category>

export const MAX_GROUPS = 100
export const MAX_MEMBERS = 200
export const WriteGroup = z.strictObject({
  name: line(80),
  memberIds: z
    .array(z.uuid())
    .max(MAX_MEMBERS)
    .default([])
    .describe('administrators who may answer tickets'),
  assignment: z.enum(GROUP_ASSIGNMENTS).default('manual'),
  active: z.boolean().default(true),
})
export type WriteGroup = z.infer<typeof WriteGroup>

/** Somebody of the staff. */
export const Agent = z.object({ id: z.uuid(), email: z.string(), name: z.string().nullable() })
export type Agent = z.infer<typeof Agent>
export const Group = WriteGroup.extend({ id: z.uuid(), members: z.array(Agent) })
export type Group = z.infer<typeof Group>

const minutes = (most: number) => z.int().min(1).max(most)
const YEAR_MINUTES = 525_600
/** How the desk works as a whole. Left out of a change: as it is. */
export const DeskSettings = z.strictObject({
  enabled: z.boolean().describe('false: customers open no new tickets'),
  reopenDays: z.int().min(0).max(365).describe('after which a reply opens another ticket'),
  remindAfterMinutes: minutes(YEAR_MINUTES)
    .nullable()
    .describe('of waiting for the customer, after which they are reminded once'),
  autoSolveMinutes: minutes(YEAR_MINUTES)
    .nullable()
    .describe('of waiting for the customer, after which a ticket is solved'),
  autoCloseMinutes: minutes(YEAR_MINUTES)
    .nullable()
    .describe('after being solved, after which a ticket is closed'),
  askRating: z.boolean().describe('once, an hour after an agent solved a ticket'),
  passUnscanned: z
    .boolean()
    .describe('false: files are held until a scanner could check them; true: for three attempts'),
})
export type DeskSettings = z.infer<typeof DeskSettings>

export const DEFAULT_DESK_SETTINGS: DeskSettings = {
  enabled: true,
  reopenDays: 7,
  remindAfterMinutes: 3 * 1440,
  autoSolveMinutes: 7 * 1440,
  autoCloseMinutes: 7 * 1440,
  askRating: true,
  passUnscanned: false,
}

/** Everything that says how the desk is arranged. */
export const DeskArrangement = z.object({
  settings: DeskSettings,
  categories: z.array(Category),
  groups: z.array(Group),
  agents: z.array(Agent).describe('who may be given tickets'),
})
export type DeskArrangement = z.infer<typeof DeskArrangement>

/** What somebody who writes a ticket needs to know. */
export const DeskConfig = z.object({
  enabled: z.boolean(),
  categories: z.array(
    Category.pick({
      ...{ id: true, name: true, description: true, fields: true },
      ...{ requiresServer: true, defaultPriority: true },
    }),
  ),
  tier: z.string().nullable().describe('name of the support that the caller pays for'),
  reopenDays: z.int(),
})
export type DeskConfig = z.infer<typeof DeskConfig>
