import type { Rule } from '@lodge/shared/support/rules/rule.ts'
import { wordOf } from '../../../ui/data/known.ts'
import { t } from './words.ts'

const EVENTS: Readonly<Record<Rule['on'], () => string>> = {
  'ticket.created': () => t.onCreated,
  'ticket.customer_reply': () => t.onCustomerReply,
  'ticket.agent_reply': () => t.onAgentReply,
  'ticket.updated': () => t.onUpdated,
  'ticket.rated': () => t.onRated,
  'sla.warning': () => t.onNear,
  'sla.breached': () => t.onMissed,
  idle: () => t.onIdle,
}

/** The event of a rule, in words. */
export const eventWord = (event: Rule['on']): string => wordOf(EVENTS, event)

/** The events that can start a rule. */
export const eventChoices = () =>
  (Object.keys(EVENTS) as Rule['on'][]).map((event) => ({ value: event, label: eventWord(event) }))
