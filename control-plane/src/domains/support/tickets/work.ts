import type { EditTicket } from '@lodge/shared/support/tickets.ts'
import { AGENT_MOVES, afterAssignment } from '@lodge/shared/support/transitions.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { invalid } from '../../../http/input.ts'
import { Problem } from '../../../problem.ts'
import { findServer } from '../../servers/index.ts'
import { isAgent } from '../categories/agents-store.ts'
import { findCategory, findGroup } from '../categories/store.ts'
import { type Change, changeTicket } from './change.ts'
import { changeParticipants } from './participants.ts'
import { requireStaff } from './reader.ts'
import { changedBy, senderOf } from './sender.ts'
import type { TicketRow } from './tables.ts'
import { changeTags } from './tags.ts'

type Work = Omit<EditTicket, 'version' | 'mergeInto'> & {
  readonly addTags?: readonly string[] | undefined
  readonly removeTags?: readonly string[] | undefined
}

const YEAR_MS = 366 * 86_400_000

/** Makes the changes of staff to a locked ticket. Checks everything before changing anything. */
export async function workOn(ctx: Ctx<User>, ticket: TicketRow, work: Work): Promise<void> {
  const { actor } = ctx
  const { assigneeId, groupId, tags, addTags, removeTags, participants, ...rest } = work
  const given = Object.entries(rest).filter(([, value]) => value !== undefined)
  if (given.length > 0 || tags || addTags || removeTags || participants)
    requireStaff(actor, 'support.reply')
  if (assigneeId !== undefined || groupId !== undefined) requireStaff(actor, 'support.assign')
  const change: Change = {
    ...(await describing(ctx, work)),
    ...(await assignment(ctx, ticket, work)),
    ...moved(ticket, work),
    ...(work.spam !== undefined && { spam: work.spam }),
    ...snooze(ctx, work),
  }
  const also = {
    ...(await changeTags(ctx.db, ticket.id, { tags, addTags, removeTags })),
    ...(participants && (await changeParticipants(ctx, ticket, participants))),
  }
  if (Object.keys(change).length === 0 && Object.keys(also).length === 0) return
  await changeTicket(ctx, ticket, change, {
    ...{ kind: 'updated', by: changedBy(senderOf(actor)), also },
    isPublic: 'participants' in also,
  })
}

async function describing(ctx: Ctx, work: Work): Promise<Change> {
  const { categoryId, serverId } = work
  if (categoryId && !(await findCategory(ctx.db, categoryId)))
    throw refused('/categoryId', 'is no category of the desk')
  if (serverId && !(await findServer(ctx.db, serverId))) throw refused('/serverId', 'is no server')
  return {
    ...(work.subject !== undefined && { subject: work.subject }),
    ...(work.priority !== undefined && { priority: work.priority }),
    ...(categoryId !== undefined && { categoryId }),
    ...(serverId !== undefined && { serverId }),
  }
}

async function assignment(
  ctx: Ctx,
  { status }: TicketRow,
  { assigneeId, groupId }: Work,
): Promise<Change> {
  if (groupId && !(await findGroup(ctx.db, groupId))) throw refused('/groupId', 'is no group')
  const change: Change = groupId === undefined ? {} : { groupId }
  if (assigneeId === undefined) return change
  if (assigneeId === null) return { ...change, assigneeId }
  if (!(await isAgent(ctx.db, assigneeId)))
    throw refused('/assigneeId', 'is nobody who may see tickets')
  const then = afterAssignment(status)
  if (then === null)
    throw new Problem('invalid_state', 'The ticket is closed: open it again to give it to somebody')
  return { ...change, assigneeId, status: then }
}

function moved({ status }: TicketRow, { status: wanted }: Work): Change {
  if (wanted === undefined || wanted === status) return {}
  if (!AGENT_MOVES[status].includes(wanted))
    throw new Problem('invalid_state', `A ticket that is ${status} does not become ${wanted}`)
  return { status: wanted }
}

function snooze({ now }: Ctx, { snoozedUntil }: Work): Change {
  if (snoozedUntil === undefined) return {}
  if (snoozedUntil === null) return { snoozedUntil }
  const until = new Date(snoozedUntil)
  const inMs = until.getTime() - now.getTime()
  if (inMs <= 0 || inMs > YEAR_MS) throw refused('/snoozedUntil', 'must be within the next year')
  return { snoozedUntil: until }
}

const refused = (pointer: string, detail: string) => invalid([{ pointer, detail }])
