import type { WriteRule } from '@lodge/shared/support/rules/rule.ts'
import type { Ctx } from '../../../context.ts'
import type { ChangeKind, TicketChange } from '../tickets/events.ts'
import { findTicket } from '../tickets/store.ts'
import type { TicketRow } from '../tickets/tables.ts'
import { act } from './act.ts'
import { goThrough } from './go-through.ts'
import type { Change } from './matches.ts'
import { missingOf } from './references.ts'
import { seenTicket } from './seen.ts'
import { rulesFor, updateRule } from './store.ts'
import type { RuleRow } from './tables.ts'

/** The event of rules for each kind of change; other kinds start none. */
const EVENTS: Readonly<Partial<Record<ChangeKind, WriteRule['on']>>> = {
  created: 'ticket.created',
  customer_reply: 'ticket.customer_reply',
  agent_reply: 'ticket.agent_reply',
  rated: 'ticket.rated',
  updated: 'ticket.updated',
  reopened: 'ticket.updated',
  snooze_over: 'ticket.updated',
  inactive: 'ticket.updated',
}

/** Runs the rules that a change of a ticket starts; a change by a rule starts none. */
export async function runRulesOf(ctx: Ctx, change: TicketChange): Promise<void> {
  const event = EVENTS[change.kind]
  if (event === undefined || change.by.kind === 'rule') return
  // A held mail has no effects before an agent releases it.
  if (change.kind === 'updated' && change.messageId !== null) return
  await runRules(ctx, change.after.id, event, {
    ...{ messageId: change.messageId, changes: changesOf(change) },
  })
}

const WATCHED = ['status', 'priority', 'groupId', 'assigneeId'] as const

const changesOf = ({ before, after }: TicketChange): Change[] =>
  before === null
    ? []
    : WATCHED.filter((field) => before[field] !== after[field]).map((field) => ({
        ...{ field, from: before[field], to: after[field] },
      }))

interface Happened {
  /** The new message, if there is one. */
  readonly messageId?: string | null
  readonly changes?: readonly Change[]
}

/** Runs the rules of an event on a locked ticket. */
export async function runRules(
  ctx: Ctx,
  ticketId: string,
  event: WriteRule['on'],
  given: Happened = {},
): Promise<void> {
  const rules = await rulesFor(ctx.db, event)
  if (rules.length > 0) await runThese(ctx, ticketId, rules, given)
}

/** Runs these rules, in order, on a locked ticket. */
export async function runThese(
  ctx: Ctx,
  ticketId: string,
  rules: readonly RuleRow[],
  { messageId = null, changes = [] }: Happened = {},
): Promise<void> {
  let ticket = await findTicket(ctx.db, ticketId)
  // Spam gets no answers, and a merged ticket continues elsewhere.
  if (!ticket || ticket.spam || ticket.mergedInto !== null) return
  const seen = await seenTicket(ctx, ticket, messageId)
  await goThrough(rules, { ticket: seen, changes }, async (rule) => {
    ticket = await runOne(ctx, ticket as TicketRow, rule)
    return seenTicket(ctx, ticket, messageId)
  })
}

/** A rule with a broken reference is turned off, with the reason. */
async function runOne(ctx: Ctx, ticket: TicketRow, rule: RuleRow): Promise<TicketRow> {
  const [missing] = await missingOf(ctx.db, rule.actions)
  if (!missing) return act(ctx, ticket, rule)
  const at = Number(missing.pointer.split('/')[2]) + 1
  await updateRule(ctx.db, rule.id, {
    enabled: false,
    disabledReason: `What action ${at} names ${missing.detail} any more`,
  })
  return ticket
}
