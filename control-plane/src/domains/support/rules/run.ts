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

/** Which event of rules a change is; those left out start none. */
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
  // A mail that waits for an agent: nothing follows from it before it is let in.
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
  /** What was written, if something was. */
  readonly messageId?: string | null
  readonly changes?: readonly Change[]
}

/** Runs the rules of an event on a ticket that the transaction has locked. */
export async function runRules(
  ctx: Ctx,
  ticketId: string,
  event: WriteRule['on'],
  given: Happened = {},
): Promise<void> {
  const rules = await rulesFor(ctx.db, event)
  if (rules.length > 0) await runThese(ctx, ticketId, rules, given)
}

/** Runs these rules, in their order, on a ticket that the transaction has locked. */
export async function runThese(
  ctx: Ctx,
  ticketId: string,
  rules: readonly RuleRow[],
  { messageId = null, changes = [] }: Happened = {},
): Promise<void> {
  let ticket = await findTicket(ctx.db, ticketId)
  // Spam gets no answers, and what was merged goes on elsewhere.
  if (!ticket || ticket.spam || ticket.mergedInto !== null) return
  const seen = await seenTicket(ctx, ticket, messageId)
  await goThrough(rules, { ticket: seen, changes }, async (rule) => {
    ticket = await runOne(ctx, ticket as TicketRow, rule)
    return seenTicket(ctx, ticket, messageId)
  })
}

/** A rule that names what is gone is turned off, and says why. */
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
