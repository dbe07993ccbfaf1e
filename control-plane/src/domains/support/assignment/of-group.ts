import { afterAssignment } from '@lodge/shared/support/transitions.ts'
import type { Ctx } from '../../../context.ts'
import { findGroup } from '../categories/store.ts'
import { changeTicket } from '../tickets/change.ts'
import type { TicketChange } from '../tickets/events.ts'
import type { TicketRow } from '../tickets/tables.ts'
import { chooseMember } from './choose.ts'

/**
 * Assigns a ticket that has just come to a group to one of its members, if the group is set to do so.
 * @param ticket in its current state, which may be after rules
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
    // A consequence of a rule counts as the rule's own change, so that it starts no other rule.
    { kind: 'updated', by: by.kind === 'rule' ? by : { kind: 'system', id: null } },
  )
}
