import { isOpenAt } from '@lodge/shared/support/hours/open-time.ts'
import type { Ctx } from '../../../context.ts'
import { readSettings } from '../../settings/index.ts'
import { hoursSettings } from '../hours/settings.ts'
import type { TicketRow } from '../tickets/tables.ts'
import type { SeenTicket } from './matches.ts'
import { besideTicket, textOf } from './seen-store.ts'

const MINUTE_MS = 60_000

/**
 * A ticket's values for the conditions of rules.
 * @param messageId of the new message; without one, the customer's latest message counts
 */
export async function seenTicket(
  { db, now }: Ctx,
  ticket: TicketRow,
  messageId: string | null,
): Promise<SeenTicket> {
  const { requesterEmail, createdAt, lastCustomerAt, lastAgentAt } = ticket
  const minutesSince = (at: number) => Math.floor((now.getTime() - at) / MINUTE_MS)
  const wrote = [createdAt, lastCustomerAt, lastAgentAt].map((at) => at?.getTime() ?? 0)
  return {
    ...{ status: ticket.status, priority: ticket.priority, source: ticket.source },
    ...{ categoryId: ticket.categoryId, groupId: ticket.groupId, assigneeId: ticket.assigneeId },
    ...{ tierId: ticket.tierId, serverId: ticket.serverId, subject: ticket.subject },
    ...(await besideTicket(db, ticket.id)),
    body: await textOf(db, ticket.id, messageId),
    requesterEmail,
    requesterEmailDomain: requesterEmail.split('@').at(-1) ?? '',
    withinHours: isOpenAt(await readSettings(db, hoursSettings), now.getTime()),
    ageMinutes: minutesSince(createdAt.getTime()),
    idleMinutes: minutesSince(Math.max(...wrote)),
    isFollowUp: ticket.followUpOf !== null,
  }
}
