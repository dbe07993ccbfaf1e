import { NO_GOALS } from '@lodge/shared/support/tiers.ts'
import type { Ctx } from '../../../context.ts'
import { readSettings } from '../../settings/index.ts'
import { hoursSettings } from '../hours/settings.ts'
import type { ChangedBy } from '../tickets/events.ts'
import { updateTicket } from '../tickets/store.ts'
import type { TicketRow } from '../tickets/tables.ts'
import { findTier, tierOf } from '../tiers/store.ts'
import { endWatch, saveWatch } from '../watches/store.ts'
import { whileComputingGoals } from '../watches/turns.ts'
import { membersOf } from './agents-store.ts'
import { type Clock, type Clocks, clocksOf } from './clocks.ts'
import type { GoalName } from './events.ts'
import { factsOf } from './facts.ts'
import { GOAL_NAMES, type Stamps, settle, stampsOf } from './stamps.ts'

/** A goal whose instant has passed without effect is looked at again after this. */
const LOOK_AGAIN_MS = 60_000

/**
 * Recomputes the goals of a locked ticket from its whole history, and reports those that are near or
 * missed now.
 * @param by who changed it; the system if only time passed
 */
export async function refreshClocks(
  ctx: Ctx,
  ticket: TicketRow,
  by: ChangedBy = { kind: 'system', id: null },
): Promise<void> {
  const { db } = ctx
  // Never earlier than the last change, even if this control plane's clock is behind.
  const now = new Date(Math.max(ctx.now.getTime(), ticket.touchedAt.getTime()))
  await whileComputingGoals(db)
  const tier =
    (ticket.tierId === null ? undefined : await findTier(db, ticket.tierId)) ??
    (await tierOf(db, ticket.requesterId))
  const goals = (ticket.spam ? undefined : tier?.goals[ticket.priority]) ?? NO_GOALS
  const calendar =
    tier?.calendar === 'business' ? await readSettings(db, hoursSettings) : ('always' as const)
  const clocks = clocksOf({
    ...{ createdAtMs: ticket.createdAt.getTime(), facts: await factsOf(db, ticket.id) },
    ...{ goals, calendar, nowMs: now.getTime() },
  })
  const settled = GOAL_NAMES.map((name) => ({
    name,
    ...settle(clocks[name], stampsOf(ticket, name), now, name),
  }))
  const after = await updateTicket(db, ticket.id, {
    tierId: tier?.id ?? null,
    ...columnsOf(Object.fromEntries(settled.map(({ name, stamps }) => [name, stamps]))),
    resolutionPausedAt: dateOf(clocks.waitingSinceMs),
    resolutionPausedMs: clocks.resolution.pausedMs,
  })
  await watch(ctx, after, clocks, now)
  for (const { name, news } of settled) if (news) await announce(ctx, after, name, { news, by })
}

const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))

const columnsOf = (all: Record<string, Stamps>): Partial<TicketRow> => {
  const { first, next, resolution } = all as Record<GoalName, Stamps>
  return {
    ...{ firstTargetAt: first.targetAt, firstMetAt: first.metAt },
    ...{ firstWarnedAt: first.warnedAt, firstBreachedAt: first.breachedAt },
    ...{ nextSince: next.since, nextTargetAt: next.targetAt, nextMetAt: next.metAt },
    ...{ nextWarnedAt: next.warnedAt, nextBreachedAt: next.breachedAt },
    ...{ resolutionTargetAt: resolution.targetAt, resolutionMetAt: resolution.metAt },
    ...{ resolutionWarnedAt: resolution.warnedAt, resolutionBreachedAt: resolution.breachedAt },
  }
}

/** Schedules the next check of the ticket. */
async function watch({ db }: Ctx, ticket: TicketRow, clocks: Clocks, now: Date): Promise<void> {
  if (ticket.status === 'closed') return endWatch(db, ticket.id)
  const due = GOAL_NAMES.flatMap((name) => nextLook(clocks[name], now.getTime()))
  const wrote = [ticket.createdAt, ticket.lastCustomerAt, ticket.lastAgentAt]
  await saveWatch(db, {
    ticketId: ticket.id,
    dueAt: due.length === 0 ? null : new Date(Math.min(...due)),
    idleSince: new Date(Math.max(...wrote.map((at) => at?.getTime() ?? 0))),
  })
}

function nextLook(clock: Clock, nowMs: number): number[] {
  const { targetAtMs, warnAtMs, metAtMs, warned, breached } = clock
  if (targetAtMs === null || metAtMs !== null || breached) return []
  // A goal is missed after its last instant.
  const atMs = warned || warnAtMs === null ? targetAtMs + 1 : warnAtMs
  // A ticket that is due at once again would keep those of others waiting.
  return [atMs > nowMs ? atMs : nowMs + LOOK_AGAIN_MS]
}

async function announce(
  ctx: Ctx,
  ticket: TicketRow,
  goal: GoalName,
  { news, by }: { news: 'near' | 'missed'; by: ChangedBy },
): Promise<void> {
  const agentIds = ticket.assigneeId ? [ticket.assigneeId] : await membersOf(ctx.db, ticket.groupId)
  await ctx.live.announce(ctx.db, { kind: 'ticket-inside', id: ticket.id })
  await ctx.emit(news === 'near' ? 'ticket.goal_near' : 'ticket.goal_missed', {
    ...{ ticket, goal, agentIds, by },
  })
}
