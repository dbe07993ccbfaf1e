import { z } from 'zod'
import { Attachment, AttachmentIds } from '../attachments.ts'
import { Agent } from './desk.ts'
import { HELD_REASONS, SenderCheck } from './sender-check.ts'
import {
  AUTHOR_KINDS,
  MESSAGE_KINDS,
  TICKET_CHANNELS,
  TICKET_PRIORITIES,
  TICKET_STATUSES,
} from './ticket-words.ts'

/** API schemas of tickets and their messages. */

export const MAX_MESSAGE = 65_536
export const MAX_TAGS = 20
export const MAX_PARTICIPANTS = 10

export const TicketSubject = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}]+$/u, 'must be one line')
const bodyMarkdown = z.string().trim().min(1).max(MAX_MESSAGE)
const email = z
  .email()
  .max(254)
  .transform((one) => one.toLowerCase())
export const TicketTag = z
  .string()
  .trim()
  .toLowerCase()
  .max(40)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}_.:-]*$/u, 'must be one word')

/** Answers to the fields of the category, by key; never kept in the audit record. */
const answers = z.record(
  z.string().max(40),
  z.union([z.string().max(5000), z.number(), z.boolean()]),
)
const moment = z.iso.datetime().nullable()

/** A goal of the tier: until when, and what became of it. */
const clock = z.object({ targetAt: moment, metAt: moment, breachedAt: moment })

/** A ticket in a list. Fields of the staff are null for customers. */
export const TicketSummary = z.object({
  id: z.uuid(),
  number: z.string().describe('such as T-000123'),
  subject: z.string(),
  status: z.enum(TICKET_STATUSES),
  priority: z.enum(TICKET_PRIORITIES),
  categoryId: z.uuid().nullable(),
  requester: z.object({
    id: z.uuid().nullable().describe('null without an account'),
    email: z.string(),
    name: z.string().nullable(),
  }),
  serverId: z.uuid().nullable(),
  subscriptionId: z.uuid().nullable(),
  source: z.enum(TICKET_CHANNELS),
  rating: z.int().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime().describe('of what the caller may see'),
  lastCustomerAt: moment,
  lastAgentAt: moment,
  solvedAt: moment,
  closedAt: moment,
  version: z.int().describe('of what the caller may see: a change names the one it began from'),
  followUpOf: z.uuid().nullable(),
  mergedInto: z.uuid().nullable(),
  unread: z.boolean().describe('the other side has written since the caller last read it'),
  staff: z
    .object({
      groupId: z.uuid().nullable(),
      assignee: Agent.nullable(),
      tierId: z.uuid().nullable(),
      tags: z.array(z.string()),
      spam: z.boolean(),
      snoozedUntil: moment,
      sla: z.object({
        first: clock,
        next: clock,
        resolution: clock.extend({ pausedMs: z.int() }),
      }),
    })
    .nullable(),
})
export type TicketSummary = z.infer<typeof TicketSummary>

/** How far somebody has read a ticket. */
export const ReadTicket = z.strictObject({
  at: z.iso.datetime().describe('`updatedAt` of the ticket as it was read'),
})

export const TicketMessage = z.object({
  id: z.uuid(),
  kind: z.enum(MESSAGE_KINDS),
  author: z.object({
    kind: z.enum(AUTHOR_KINDS),
    id: z.uuid().nullable(),
    name: z.string().nullable().describe('to customers, of staff, no address'),
  }),
  bodyMarkdown: z.string(),
  html: z.string().describe('sanitised'),
  attachments: z.array(Attachment),
  via: z.enum(TICKET_CHANNELS),
  unverifiedSender: z.boolean().describe('the mail may be of somebody else'),
  sender: SenderCheck.nullable().describe('of a mail, for the staff: who vouches for it'),
  held: z.boolean().describe('customers see it only once an agent lets it in'),
  heldBecause: z.enum(HELD_REASONS).nullable().describe('for the staff'),
  createdAt: z.iso.datetime(),
  editedAt: moment,
})
export type TicketMessage = z.infer<typeof TicketMessage>

/** What happened to a ticket, for the staff. */
export const TicketEvent = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  kind: z.string(),
  actor: z.object({ kind: z.enum([...AUTHOR_KINDS, 'rule']), name: z.string().nullable() }),
  change: z.record(z.string(), z.unknown()).describe('from and to of each field'),
})
export type TicketEvent = z.infer<typeof TicketEvent>

export const TicketParticipant = z.object({ id: z.uuid(), email: z.string() })

/** A ticket with its thread. */
export const TicketThread = TicketSummary.extend({
  category: z.string().nullable().describe('name of the category, also of an archived one'),
  tier: z.string().nullable().describe('name of the support tier that the ticket has'),
  answers,
  participants: z.array(TicketParticipant).describe('who reads along, beside the requester'),
  messages: z.array(TicketMessage).describe('the oldest first'),
  events: z.array(TicketEvent).nullable().describe('null for customers'),
  ratingComment: z.string().nullable(),
  may: z.object({
    reply: z.boolean(),
    solve: z.boolean(),
    reopen: z.boolean(),
    rate: z.boolean(),
    rename: z.boolean(),
    work: z.boolean().describe('status, priority, tags and the like'),
    assign: z.boolean(),
    delete: z.boolean(),
  }),
})
export type TicketThread = z.infer<typeof TicketThread>

export const CreateTicket = z.strictObject({
  subject: TicketSubject,
  bodyMarkdown,
  categoryId: z.uuid().nullable().default(null),
  priority: z.enum(TICKET_PRIORITIES).optional().describe('that of the category if left out'),
  serverId: z.uuid().nullable().default(null),
  subscriptionId: z.uuid().nullable().default(null),
  answers: answers.default({}),
  participants: z.array(email).max(MAX_PARTICIPANTS).default([]),
  attachments: AttachmentIds,
  requesterId: z.uuid().optional().describe('by staff: the customer for whom they open it'),
})
export type CreateTicket = z.infer<typeof CreateTicket>

/** The lists of the desk, by what is in them. */
export const TICKET_VIEWS = [
  'mine',
  'unassigned',
  'open',
  'waiting',
  'solved',
  'held',
  'spam',
  'all',
] as const
export const TicketsQuery = z.object({
  view: z.enum(TICKET_VIEWS).optional(),
  q: z.string().trim().max(200).default('').describe('words to look for, or a number'),
  status: z.enum(TICKET_STATUSES).optional(),
  priority: z.enum(TICKET_PRIORITIES).optional(),
  categoryId: z.uuid().optional(),
  groupId: z.uuid().optional(),
  assigneeId: z.uuid().optional(),
  requesterId: z.uuid().optional(),
  serverId: z.uuid().optional(),
  tag: TicketTag.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  after: z.string().max(512).optional(),
})
export type TicketsQuery = z.infer<typeof TicketsQuery>

/**
 * A change of a ticket; what is left out stays. Customers change the subject while it is new, solve
 * it, and choose who reads along; the rest is of the staff.
 */
export const EditTicket = z.strictObject({
  version: z.int().min(1).describe('the one that was changed; refused if it is not the newest'),
  subject: TicketSubject.optional(),
  status: z.enum(TICKET_STATUSES).optional(),
  priority: z.enum(TICKET_PRIORITIES).optional(),
  categoryId: z.uuid().nullable().optional(),
  groupId: z.uuid().nullable().optional(),
  assigneeId: z.uuid().nullable().optional(),
  serverId: z.uuid().nullable().optional(),
  tags: z.array(TicketTag).max(MAX_TAGS).optional(),
  participants: z.array(email).max(MAX_PARTICIPANTS).optional(),
  spam: z.boolean().optional(),
  snoozedUntil: z.iso.datetime().nullable().optional(),
  mergeInto: z.uuid().optional().describe('a ticket of the same customer, to which it moves'),
})
export type EditTicket = z.infer<typeof EditTicket>

export const WriteMessage = z.strictObject({
  kind: z.enum(['reply', 'note']).default('reply'),
  bodyMarkdown,
  attachments: AttachmentIds,
  status: z.enum(TICKET_STATUSES).optional().describe('by staff: what the answer makes of it'),
})
export type WriteMessage = z.infer<typeof WriteMessage>

/** In which agents can change what they wrote. */
export const AMEND_MINUTES = 15
export const AmendMessage = z.strictObject({ bodyMarkdown })

/** What was written; in a ticket that was over, it opened another one. */
export const WrittenMessage = z.object({
  id: z.uuid(),
  ticketId: z.uuid().describe('another one if it opened a follow-up'),
})
export type WrittenMessage = z.infer<typeof WrittenMessage>

export const RateTicket = z.strictObject({
  score: z.int().min(1).max(5),
  comment: z.string().trim().max(1000).default(''),
})
export type RateTicket = z.infer<typeof RateTicket>

export const SplitTicket = z.strictObject({
  messageIds: z.array(z.uuid()).min(1).max(100),
  subject: TicketSubject,
})
export type SplitTicket = z.infer<typeof SplitTicket>

export const MAX_BULK = 100
export const BulkTickets = z.strictObject({
  ids: z.array(z.uuid()).min(1).max(MAX_BULK),
  status: z.enum(TICKET_STATUSES).optional(),
  assigneeId: z.uuid().nullable().optional(),
  groupId: z.uuid().nullable().optional(),
  priority: z.enum(TICKET_PRIORITIES).optional(),
  addTags: z.array(TicketTag).max(MAX_TAGS).optional(),
  removeTags: z.array(TicketTag).max(MAX_TAGS).optional(),
  spam: z.boolean().optional(),
})
export type BulkTickets = z.infer<typeof BulkTickets>

/** What became of each ticket. */
export const BulkResults = z.object({
  results: z.array(
    z.object({
      id: z.uuid(),
      problem: z
        .object({ code: z.string(), detail: z.string() })
        .optional()
        .describe('why it stayed as it was'),
    }),
  ),
})
export type BulkResults = z.infer<typeof BulkResults>

/** What an agent does in a ticket right now. */
export const Presence = z.strictObject({ state: z.enum(['viewing', 'replying', 'left']) })

/** What somebody has begun to write. */
export const Draft = z.object({
  content: z.record(z.string(), z.unknown()),
  version: z.int().describe('0 without one'),
  updatedAt: moment,
})
export type Draft = z.infer<typeof Draft>
export const MAX_DRAFT_BYTES = 65_536
export const SaveDraft = z.strictObject({
  content: z
    .record(z.string().max(40), z.unknown())
    .refine((content) => JSON.stringify(content).length <= MAX_DRAFT_BYTES, {
      message: `must take at most ${MAX_DRAFT_BYTES} characters`,
    }),
  version: z.int().min(0).describe('the one that was continued; 0 for a new one'),
})
