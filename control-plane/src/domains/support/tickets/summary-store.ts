import type { TicketSummary } from '@lodge/shared/support/tickets.ts'
import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { User } from '../../../actor.ts'
import type { Db } from '../../../db/database.ts'
import { users } from '../../customers/tables.ts'
import { supportRatings, supportReads, supportTickets, supportTicketTags } from './tables.ts'
import { isUnread } from './unread.ts'

const assignees = alias(users, 'assignees')

/** Tickets with people's names, tags and rating, and how far the reader has read. */
export const summaries = (db: Db, reader: User) =>
  db
    .select({
      ...getTableColumns(supportTickets),
      requesterName: users.name,
      requesterAddress: users.email,
      assigneeName: assignees.name,
      assigneeEmail: assignees.email,
      rating: supportRatings.score,
      ratingComment: supportRatings.comment,
      readAt: supportReads.readAt,
      tags: sql<string[]>`array(select tag from ${supportTicketTags} tagged
        where tagged.ticket_id = ${supportTickets.id} order by tag)`,
    })
    .from(supportTickets)
    .leftJoin(users, eq(users.id, supportTickets.requesterId))
    .leftJoin(assignees, eq(assignees.id, supportTickets.assigneeId))
    .leftJoin(supportRatings, eq(supportRatings.ticketId, supportTickets.id))
    .leftJoin(
      supportReads,
      and(eq(supportReads.userId, reader.id), eq(supportReads.ticketId, supportTickets.id)),
    )
export type SummaryRow = Awaited<ReturnType<typeof summaries>>[number]

export async function findSummary(
  db: Db,
  reader: User,
  id: string,
): Promise<SummaryRow | undefined> {
  const [row] = await summaries(db, reader).where(eq(supportTickets.id, id))
  return row
}

const time = (at: Date | null) => at?.toISOString() ?? null

/** @param reader who sees it; `isStaff` for staff of the desk */
export const summaryOf = (
  row: SummaryRow,
  reader: { readonly id: string; readonly isStaff: boolean },
  number: string,
): TicketSummary => ({
  id: row.id,
  number,
  subject: row.subject,
  status: row.status,
  priority: row.priority,
  categoryId: row.categoryId,
  requester: {
    id: row.requesterId,
    email: row.requesterAddress ?? row.requesterEmail,
    name: row.requesterName,
  },
  serverId: row.serverId,
  subscriptionId: row.subscriptionId,
  source: row.source,
  rating: row.rating,
  createdAt: row.createdAt.toISOString(),
  updatedAt: (reader.isStaff ? row.touchedAt : row.updatedAt).toISOString(),
  lastCustomerAt: time(row.lastCustomerAt),
  lastAgentAt: time(row.lastAgentAt),
  solvedAt: time(row.solvedAt),
  closedAt: time(row.closedAt),
  version: reader.isStaff ? row.version : row.publicVersion,
  followUpOf: row.followUpOf,
  mergedInto: row.mergedInto,
  unread: isUnread(row, reader),
  staff: reader.isStaff ? ofStaff(row) : null,
})

const ofStaff = (row: SummaryRow): TicketSummary['staff'] => ({
  groupId: row.groupId,
  assignee:
    row.assigneeId === null
      ? null
      : { id: row.assigneeId, email: row.assigneeEmail ?? '', name: row.assigneeName },
  tierId: row.tierId,
  tags: row.tags,
  spam: row.spam,
  snoozedUntil: time(row.snoozedUntil),
  sla: {
    first: clock(row.firstTargetAt, row.firstMetAt, row.firstBreachedAt),
    next: clock(row.nextTargetAt, row.nextMetAt, row.nextBreachedAt),
    resolution: {
      ...clock(row.resolutionTargetAt, row.resolutionMetAt, row.resolutionBreachedAt),
      pausedMs: row.resolutionPausedMs,
    },
  },
})

const clock = (target: Date | null, met: Date | null, breached: Date | null) => ({
  ...{ targetAt: time(target), metAt: time(met), breachedAt: time(breached) },
})
