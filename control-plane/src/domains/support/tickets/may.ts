import type { DeskSettings } from '@lodge/shared/support/desk.ts'
import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import { mayRate, mayReopen, staysOpen } from '@lodge/shared/support/transitions.ts'
import { hasPermission, type User } from '../../../actor.ts'
import { isStaff } from './reader.ts'
import type { TicketRow } from './tables.ts'

/** What the caller may do with a ticket now. */
export function mayDo(
  actor: User,
  ticket: TicketRow,
  settings: DeskSettings,
  now: Date,
): TicketThread['may'] {
  const staff = isStaff(actor)
  const works = staff && hasPermission(actor, 'support.reply')
  const own = ticket.requesterId === actor.id
  const merged = ticket.mergedInto !== null
  return {
    reply: works ? ticket.status !== 'closed' : !staff && !merged,
    solve: !merged && (works || own) && staysOpen(ticket.status),
    reopen: !merged && (works || own) && mayReopen(ticket, works, settings, now),
    rate: own && mayRate(ticket, now),
    rename: works || (own && ticket.status === 'new'),
    work: works,
    assign: staff && hasPermission(actor, 'support.assign'),
    delete: staff && hasPermission(actor, 'support.delete'),
  }
}
