import { afterAssignment } from '@lodge/shared/support/transitions.ts'
import type { Ctx } from '../../../context.ts'
import { findGroup } from '../categories/store.ts'
import { changeTicket } from '../tickets/change.ts'
import type { TicketChange } from '../tickets/events.ts'
import type { TicketRow } from '../tickets/tables.ts'
import { chooseMember } from './choose.ts'

/**
 * Gives a ticket that has just come to a group to one of its members, where the group works so.
 * @param ticket as it is now, which may be after rules
 */
export async function giveToMember(
  ctx: Ctx,
  { before, after, by }: TicketChange,
  ticket: TicketRow,
): Promise<void> {
  const { groupId, status } = ticket
  const isNew = before === null || before.groupId !== after.groupId || after.groupId !== groupId
  if (!isNew || groupId === null || ticket.assigneeId !== null || ticket.spam) return
  const to = afterAssignment(status)
  const group = await findGroup(ctx.db, groupId)
  if (to === null || !group?.active || group.assignment === 'manual') return
  const assigneeId = await chooseMember(ctx, groupId, group.assignment)
  if (assigneeId === null) return
  await changeTicket(
    ctx,
    ticket,
    { assigneeId, status: to },
    // What follows from a rule is of the rule, so that it starts no other.
    { kind: 'updated', by: by.kind === 'rule' ? by : { kind: 'system', id: null } },
  )
}
