import { randomUUIDv7 } from 'node:crypto'
import type { Ctx } from '../../../context.ts'
import type { ChangedBy, ChangeKind } from './events.ts'
import { momentOf } from './moment.ts'
import { updateTicket } from './store.ts'
import type { TicketRow } from './tables.ts'
import { insertEvent } from './thread-store.ts'

/** Fields of a ticket that may change after its creation. */
export type Change = Partial<Omit<TicketRow, 'id' | 'number' | 'version' | 'publicVersion'>>

export interface Cause {
  readonly kind: ChangeKind
  readonly by: ChangedBy
  readonly messageId?: string
  /** Further fields for the entry in the history, such as tags. */
  readonly also?: Readonly<Record<string, unknown>>
  /** Whether customers see the change although none of their fields changed: a reply. */
  readonly isPublic?: boolean
}

/** Fields in the history, and whether customers see them. */
const TRACKED = {
  ...{ subject: true, status: true, priority: true, categoryId: true, serverId: true },
  ...{ mergedInto: true, groupId: false, assigneeId: false, tierId: false },
  ...{ spam: false, snoozedUntil: false },
} as const satisfies Partial<Record<keyof TicketRow, boolean>>

/** Changes after which an edit that somebody has begun is still valid. */
const QUIET: readonly ChangeKind[] = ['note', 'reminded', 'rating_asked']

/**
 * Changes a locked ticket: its history, the consequences of its status, open panels and listeners.
 * Rules and clocks use it too, with their own `by`.
 * @returns the ticket after all that, including changes by listeners
 */
export async function changeTicket(
  ctx: Ctx,
  before: TicketRow,
  change: Change,
  cause: Cause,
): Promise<TicketRow> {
  const fields = Object.keys(TRACKED) as (keyof typeof TRACKED)[]
  const changed = fields.filter(
    (field) => field in change && String(change[field]) !== String(before[field]),
  )
  const isPublic = cause.isPublic === true || changed.some((field) => TRACKED[field])
  const at = momentOf(ctx, before)
  const after = await updateTicket(ctx.db, before.id, {
    ...change,
    ...byStatus(before, change, cause, at),
    version: before.version + (QUIET.includes(cause.kind) ? 0 : 1),
    touchedAt: at,
    ...(isPublic && { updatedAt: at, publicVersion: before.publicVersion + 1 }),
  })
  const history = {
    ...Object.fromEntries(
      changed.map((field) => [field, { from: before[field], to: after[field] }]),
    ),
    ...cause.also,
  }
  if (Object.keys(history).length > 0 || cause.messageId === undefined)
    await insertEvent(ctx.db, {
      ...{ id: randomUUIDv7(), ticketId: before.id, at, kind: cause.kind },
      ...{ actorKind: cause.by.kind, actorId: cause.by.id, actorName: cause.by.name ?? null },
      change: history,
    })
  return tell(ctx, { before, after, cause, isPublic })
}

/** Announces a change to open panels and listeners. */
export async function tell(
  ctx: Ctx,
  given: { before: TicketRow | null; after: TicketRow; cause: Cause; isPublic: boolean },
): Promise<TicketRow> {
  const { before, after, cause, isPublic } = given
  await ctx.live.announce(ctx.db, { kind: isPublic ? 'ticket' : 'ticket-inside', id: after.id })
  const { kind, by, messageId = null } = cause
  await ctx.emit('ticket.changed', { kind, by, before, after, messageId })
  return after
}

/** The consequences of a changed status. */
function byStatus(before: TicketRow, change: Change, { by }: Cause, now: Date): Change {
  const { status } = change
  if (status === undefined || status === before.status) return {}
  const ends = status === 'solved' || status === 'closed'
  return {
    statusSince: now,
    remindedAt: null,
    closedAt: status === 'closed' ? now : null,
    solvedAt: ends ? (before.solvedAt ?? now) : null,
    solvedBy: ends ? (before.solvedBy ?? by.kind) : null,
    ...(!ends && { ratingAskedAt: null }),
    // A change of status ends a snooze.
    snoozedUntil: change.snoozedUntil ?? null,
  }
}
