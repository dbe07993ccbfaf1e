import { z } from 'zod'
import { TICKET_PRIORITIES } from './ticket-words.ts'
import { TicketTag } from './tickets.ts'

/** API schemas of macros: answers and changes that agents apply with one click. */

export const MACRO_SCOPES = ['all', 'group', 'personal'] as const
export const MAX_MACROS = 500
export const MAX_MACRO_ACTIONS = 10

const tags = z.array(TicketTag).min(1).max(10)
const text = z.string().trim().min(1).max(20_000)
/** One of the things that a macro does to a ticket. The panel fills in what stands in braces. */
export const MacroAction = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('reply'),
    text: text.describe('Markdown; {customer}, {agent}, {number} and {subject} are filled in'),
  }),
  z.strictObject({ type: z.literal('note'), text }),
  z.strictObject({
    type: z.literal('set_status'),
    status: z.enum(['open', 'pending', 'on_hold', 'solved']),
  }),
  z.strictObject({ type: z.literal('set_priority'), priority: z.enum(TICKET_PRIORITIES) }),
  z.strictObject({ type: z.literal('set_group'), groupId: z.uuid().nullable() }),
  z.strictObject({ type: z.literal('set_category'), categoryId: z.uuid().nullable() }),
  z.strictObject({
    type: z.literal('assign'),
    to: z.enum(['me', 'nobody']),
  }),
  z.strictObject({ type: z.literal('add_tags'), tags }),
  z.strictObject({ type: z.literal('remove_tags'), tags }),
])
export type MacroAction = z.infer<typeof MacroAction>

const shared = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .regex(/^[^\p{Cc}]+$/u, 'must be one line'),
  scope: z.enum(MACRO_SCOPES).describe('for all agents, for those of a group, or for oneself'),
  groupId: z.uuid().nullable().default(null).describe('of the scope `group`, and of nothing else'),
  actions: z
    .array(MacroAction)
    .min(1)
    .max(MAX_MACRO_ACTIONS)
    .refine((actions) => new Set(actions.map(({ type }) => type)).size === actions.length, {
      message: 'must be different ones',
    }),
}
export const WriteMacro = z
  .strictObject({ id: z.uuid().optional().describe('of the one to replace'), ...shared })
  .refine(({ scope, groupId }) => (scope === 'group') === (groupId !== null), {
    path: ['groupId'],
    message: 'is what the scope `group` needs, and no other has',
  })
export type WriteMacro = z.infer<typeof WriteMacro>

export const Macro = z.object({
  ...shared,
  id: z.uuid(),
  groupId: z.uuid().nullable(),
  own: z.boolean().describe('made for the caller alone'),
  mayEdit: z.boolean(),
})
export type Macro = z.infer<typeof Macro>
