import { afterAssignment } from '@lodge/shared/support/transitions.ts'
import type { Ctx } from '../../../context.ts'
import { findGroup } from '../categories/store.ts'
import { changeTicket } from '../tickets/change.ts'
import type { TicketChange } from '../tickets/events.ts'
import { chooseMember } from './choose.ts'

/** Gives a ticket that has just come to a group to one of its members, where the group works so. */
export async function giveToMember(ctx: Ctx, { before, after }: TicketChange): Promise<void> {
  const { groupId, status } = after
  const isNew = before === null || before.groupId !== groupId
  if (!isNew || groupId === null || after.assigneeId !== null || after.spam) return
  const to = afterAssignment(status)
  const group = await findGroup(ctx.db, groupId)
  if (to === null || !group?.active || group.assignment === 'manual') return
  const assigneeId = await chooseMember(ctx, groupId, group.assignment)
  if (assigneeId === null) return
  await changeTicket(
    ctx,
    after,
    { assigneeId, status: to },
    { kind: 'updated', by: { kind: 'system', id: null } },
  )
}
