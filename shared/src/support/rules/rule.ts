import { z } from 'zod'
import { TICKET_CHANNELS, TICKET_PRIORITIES, TICKET_STATUSES } from '../ticket-words.ts'
import { TicketTag } from '../tickets.ts'

/** The events of a ticket that start rules. */
export const RULE_EVENTS = [
  ...['ticket.created', 'ticket.customer_reply', 'ticket.agent_reply', 'ticket.updated'],
  ...['ticket.rated', 'sla.warning', 'sla.breached', 'idle'],
] as const

const id = z.uuid()
const line = z.string().max(500)

const texts = ['eq', 'neq', 'contains', 'notContains', 'startsWith', 'endsWith'] as const
const numbers = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'] as const

/** Conditions on fields that have one of few values, or refer to a thing. */
const chosen = <const Fields extends readonly string[], Value extends z.ZodType>(
  fields: Fields,
  value: Value,
) => {
  const field = z.enum(fields)
  return [
    z.strictObject({ field, op: z.enum(['eq', 'neq']), value }),
    z.strictObject({ field, op: z.enum(['in', 'nin']), value: z.array(value).min(1).max(50) }),
  ]
}

const THINGS = [
  ...(['categoryId', 'groupId', 'assigneeId', 'tierId', 'planId', 'serverId'] as const),
  'templateId',
] as const

/** What a rule asks of a ticket. No regular expressions: they could take for ever. */
export const RuleCondition = z.union([
  ...chosen(['status'], z.enum(TICKET_STATUSES)),
  ...chosen(['priority'], z.enum(TICKET_PRIORITIES)),
  ...chosen(['source'], z.enum(TICKET_CHANNELS)),
  ...chosen(THINGS, id),
  z.strictObject({
    field: z.enum(['status', 'priority', 'source', 'tags', 'rating', ...THINGS]),
    op: z.enum(['isSet', 'isUnset']),
  }),
  z.strictObject({
    field: z.literal('tags'),
    op: z.enum(['contains', 'notContains']),
    value: TicketTag,
  }),
  z.strictObject({
    field: z.enum(['subject', 'body', 'requesterEmail', 'requesterEmailDomain']),
    op: z.enum(texts),
    value: line,
  }),
  z.strictObject({
    field: z.enum(['ageMinutes', 'idleMinutes', 'rating']),
    op: z.enum(numbers),
    value: z.number().min(0).max(10_000_000),
  }),
  z.strictObject({
    field: z.enum(['withinHours', 'isFollowUp']),
    op: z.enum(['eq', 'neq']),
    value: z.boolean(),
  }),
  z.strictObject({
    field: z.enum(['status', 'priority', 'groupId', 'assigneeId']),
    op: z.enum(['changedFrom', 'changedTo']),
    value: z.string().max(64).nullable(),
  }),
])
/** One question that a rule asks of a ticket. */
export type RuleCondition = z.infer<typeof RuleCondition>

const tags = z.array(TicketTag).min(1).max(10)
const text = z
  .string()
  .trim()
  .min(1)
  .max(20_000)
  .describe('Markdown; {customer}, {number} and {subject} are filled in')

/** One of the things that a rule does to a ticket. */
export const RuleAction = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('set_status'),
    status: z.enum(TICKET_STATUSES).exclude(['new', 'closed']),
  }),
  z.strictObject({ type: z.literal('set_priority'), priority: z.enum(TICKET_PRIORITIES) }),
  z.strictObject({ type: z.literal('set_category'), categoryId: id }),
  z.strictObject({ type: z.literal('set_group'), groupId: id }),
  z.strictObject({ type: z.literal('set_tier'), tierId: id }),
  z
    .strictObject({
      type: z.literal('assign'),
      to: z
        .enum(['agent', 'round_robin', 'least_open', 'requester_of_last', 'none'])
        .describe('in turn or who has least, of the group; who had the last of the requester'),
      agentId: id.optional(),
    })
    .refine((action) => (action.to === 'agent') === (action.agentId !== undefined), {
      path: ['agentId'],
      message: 'is given where a certain agent gets the ticket, and only there',
    }),
  z.strictObject({ type: z.literal('add_tags'), tags }),
  z.strictObject({ type: z.literal('remove_tags'), tags }),
  z.strictObject({ type: z.literal('reply'), text }),
  z.strictObject({ type: z.literal('note'), text }),
  z.strictObject({ type: z.literal('snooze'), minutes: z.int().min(5).max(525_600) }),
  z.strictObject({ type: z.literal('notify_group'), groupId: id }),
  z.strictObject({ type: z.literal('notify_agent'), agentId: id }),
  z.strictObject({
    type: z.literal('send_webhook'),
    channelId: id.describe('a webhook among the notification channels of whoever writes the rule'),
  }),
])
export type RuleAction = z.infer<typeof RuleAction>

/** The kinds of what rules do. */
export const RULE_ACTIONS = RuleAction.options.map(
  ({ shape }) => shape.type.value,
) as RuleAction['type'][]

export const MAX_RULES = 100
export const MAX_CONDITIONS = 20
export const MAX_RULE_ACTIONS = 10
const conditions = z.array(RuleCondition).max(MAX_CONDITIONS).default([])

const parts = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(80)
    .regex(/^[^\p{Cc}]+$/u, 'must be one line'),
  enabled: z.boolean(),
  on: z.enum(RULE_EVENTS).describe('what starts it'),
  idleMinutes: z
    .int()
    .min(5)
    .max(525_600)
    .nullable()
    .describe('of `idle`, and of nothing else: for how long nobody has written'),
  when: z
    .strictObject({
      all: conditions,
      any: conditions.describe('one of these, where there are any'),
    })
    .refine(({ all, any }) => all.length + any.length <= MAX_CONDITIONS, {
      message: `has more than ${MAX_CONDITIONS} conditions`,
    }),
  actions: z.array(RuleAction).min(1).max(MAX_RULE_ACTIONS),
  stop: z.boolean().describe('no rule after it runs for the same event'),
}

/** A rule of the desk: on an event, if the ticket is so, do that. */
export const WriteRule = z
  .strictObject({
    ...parts,
    enabled: parts.enabled.default(true),
    idleMinutes: parts.idleMinutes.default(null),
    stop: parts.stop.default(false),
  })
  .refine(({ on, idleMinutes }) => (on === 'idle') === (idleMinutes !== null), {
    path: ['idleMinutes'],
    message: 'is given for rules about idle tickets, and only for them',
  })
export type WriteRule = z.infer<typeof WriteRule>

/** A rule as the desk knows it. */
export const Rule = z.object({
  ...parts,
  id: z.uuid(),
  position: z.int().describe('rules run in this order'),
  disabledReason: z.string().nullable().describe('why the panel turned it off by itself'),
  lastRanAt: z.iso.datetime().nullable(),
})
export type Rule = z.infer<typeof Rule>

/** What of a rule is different; left out: as it is. */
export const ChangeRule = z
  .strictObject({
    ...parts,
    position: z.int().min(0).max(MAX_RULES).describe('its new place; the others make room'),
  })
  .partial()
export type ChangeRule = z.infer<typeof ChangeRule>

/** A rule that is tried on a ticket without changing anything. */
export const TryRule = z.strictObject({ rule: WriteRule, ticketId: z.uuid() })
export const TriedRule = z.object({
  matches: z.boolean().describe('whether its conditions hold, as if its event happened now'),
  all: z.array(z.boolean()).describe('of each condition'),
  any: z.array(z.boolean()),
})
export type TriedRule = z.infer<typeof TriedRule>

/** What a rule did to a ticket. */
export const RuleRun = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  ticket: z.object({
    id: z.uuid(),
    number: z.string().describe('such as T-000123'),
    subject: z.string(),
  }),
  does: z.array(z.enum(RULE_ACTIONS)),
})
export type RuleRun = z.infer<typeof RuleRun>
