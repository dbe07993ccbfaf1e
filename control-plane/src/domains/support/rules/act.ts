import { randomUUIDv7 } from 'node:crypto'
import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { RuleAction } from '@lodge/shared/support/rules/rule.ts'
import { ticketNumber } from '@lodge/shared/support/ticket-words.ts'
import { MAX_TAGS } from '@lodge/shared/support/tickets.ts'
import { AGENT_MOVES, afterAssignment } from '@lodge/shared/support/transitions.ts'
import type { Ctx } from '../../../context.ts'
import { plainText } from '../../../markdown.ts'
import { queueForChannel } from '../../notifications/index.ts'
import { chooseFormer, chooseMember } from '../assignment/choose.ts'
import { membersOf } from '../clocks/agents-store.ts'
import { type Change, changeTicket } from '../tickets/change.ts'
import { writtenBy } from '../tickets/create.ts'
import type { ChangedBy } from '../tickets/events.ts'
import { momentOf } from '../tickets/moment.ts'
import { findTicket } from '../tickets/store.ts'
import type { TicketRow } from '../tickets/tables.ts'
import { changeTags } from '../tickets/tags.ts'
import { insertMessage, listTags } from '../tickets/thread-store.ts'
import { fillIn } from './fill-in.ts'
import { insertRun } from './runs-store.ts'
import type { RuleRow } from './tables.ts'

/** Applies a rule's actions to a locked ticket, and records them in its history. */
export async function act(ctx: Ctx, before: TicketRow, rule: RuleRow): Promise<TicketRow> {
  const by: ChangedBy = { kind: 'rule', id: null, name: rule.name }
  const change: Change = {}
  for (const action of rule.actions)
    Object.assign(change, await fieldsOf(ctx, { ...before, ...change }, action))
  const does = rule.actions.map(({ type }) => type)
  const also = { ...(await retag(ctx, before.id, rule.actions)), rule: { id: rule.id, does } }
  await insertRun(ctx.db, {
    ...{ id: randomUUIDv7(), ruleId: rule.id, ticketId: before.id, at: ctx.now, does },
  })
  let ticket = await changeTicket(ctx, before, change, { kind: 'updated', by, also })
  for (const action of rule.actions) {
    if (action.type === 'reply' || action.type === 'note')
      ticket = await say(ctx, ticket, by, action)
    if (action.type === 'send_webhook') await send(ctx, ticket, rule, action.channelId)
    if (action.type === 'notify_agent' || action.type === 'notify_group')
      await ctx.emit('ticket.rule_told', {
        ...{ ticket, ruleName: rule.name },
        agentIds:
          action.type === 'notify_agent'
            ? [action.agentId]
            : await membersOf(ctx.db, action.groupId),
      })
  }
  // Its new group may have assigned it to somebody.
  return (await findTicket(ctx.db, ticket.id)) ?? ticket
}

/**
 * Changes tags; a ticket with the maximum gets no more, rather than making the triggering message
 * fail.
 */
async function retag({ db }: Ctx, ticketId: string, actions: readonly RuleAction[]) {
  const removeTags = actions.flatMap((one) => (one.type === 'remove_tags' ? one.tags : []))
  const wanted = actions.flatMap((one) => (one.type === 'add_tags' ? one.tags : []))
  if (wanted.length + removeTags.length === 0) return undefined
  const kept = (await listTags(db, ticketId)).filter((tag) => !removeTags.includes(tag))
  const addTags = [...new Set(wanted)]
    .filter((tag) => !kept.includes(tag))
    .slice(0, Math.max(0, MAX_TAGS - kept.length))
  return changeTags(db, ticketId, { addTags, removeTags })
}

/** The changes of fields by an action; none if the ticket cannot change that way. */
async function fieldsOf(ctx: Ctx, ticket: TicketRow, action: RuleAction): Promise<Change> {
  switch (action.type) {
    case 'set_status':
      return AGENT_MOVES[ticket.status].includes(action.status) ? { status: action.status } : {}
    case 'set_priority':
      return { priority: action.priority }
    case 'set_category':
      return { categoryId: action.categoryId }
    case 'set_group':
      return { groupId: action.groupId }
    case 'set_tier':
      return { tierId: action.tierId }
    case 'snooze':
      return { snoozedUntil: new Date(ctx.now.getTime() + action.minutes * 60_000) }
    case 'assign':
      return assignTo(ctx, ticket, action)
    default:
      return {}
  }
}

async function assignTo(
  ctx: Ctx,
  ticket: TicketRow,
  { to, agentId }: Extract<RuleAction, { type: 'assign' }>,
): Promise<Change> {
  if (to === 'none') return { assigneeId: null }
  const status = afterAssignment(ticket.status)
  if (status === null) return {}
  const assigneeId = await agentFor(ctx, ticket, to, agentId ?? null)
  return assigneeId === null ? {} : { assigneeId, status }
}

function agentFor(
  ctx: Ctx,
  ticket: TicketRow,
  to: 'agent' | 'round_robin' | 'least_open' | 'requester_of_last',
  agentId: string | null,
): Promise<string | null> | string | null {
  if (to === 'agent') return agentId
  if (to === 'requester_of_last') return chooseFormer(ctx, ticket)
  return ticket.groupId === null ? null : chooseMember(ctx, ticket.groupId, to)
}

/** Writes in the name of the desk: that is no answer, so goals keep running. */
async function say(
  ctx: Ctx,
  ticket: TicketRow,
  by: ChangedBy,
  { type: kind, text }: Extract<RuleAction, { type: 'reply' | 'note' }>,
): Promise<TicketRow> {
  if (kind === 'reply' && ticket.status === 'closed') return ticket
  const now = (await findTicket(ctx.db, ticket.id)) ?? ticket
  const messageId = randomUUIDv7()
  const body = kind === 'reply' ? await fillIn(ctx.db, ticket, text) : text
  await insertMessage(ctx.db, {
    ...{ id: messageId, ticketId: ticket.id, kind, authorKind: 'system' },
    ...writtenBy({ kind: 'system', userId: null, channel: 'system' }),
    ...{ body, plain: plainText(body), createdAt: momentOf(ctx, now) },
  })
  return changeTicket(
    ctx,
    now,
    {},
    kind === 'reply'
      ? { kind: 'agent_reply', by, messageId, isPublic: true }
      : { kind: 'note', by, messageId },
  )
}

/** Calls a webhook about the ticket; the receiver looks up details with its own rights. */
const send = (ctx: Ctx, ticket: TicketRow, rule: RuleRow, channelId: string): Promise<void> => {
  const message = {
    ...{ type: 'ticket.rule', severity: 'info' as const, server: null, at: ctx.now.toISOString() },
    title: `${rule.name}: ${ticketNumber(ticket.number)}`,
    body: ticket.subject,
    link: panelPath('deskTicket', { id: ticket.id }),
  }
  return queueForChannel(ctx, channelId, message, 'support.view')
}
