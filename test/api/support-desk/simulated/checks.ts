import { BusinessHours } from '@lodge/shared/support/hours/business-hours.ts'
import type { TicketPriority, TicketStatus } from '@lodge/shared/support/ticket-words.ts'
import { expect } from 'vitest'
import {
  type Clock,
  clocksOf,
  type Fact,
  type State,
} from '../../../../control-plane/src/domains/support/clocks/clocks.ts'
import type { Desk } from './desk.ts'
import type { Traffic } from './traffic.ts'

interface Ticket {
  id: string
  number: number
  subject: string
  status: TicketStatus
  priority: TicketPriority
  created_at: Date
  snoozed_until: Date | null
  merged_into: string | null
  follow_up_of: string | null
  resolution_paused_ms: string
  [column: `${'first' | 'next' | 'resolution'}_${string}`]: unknown
}
interface Event {
  ticket_id: string
  at: Date
  change: {
    status?: { from: TicketStatus; to: TicketStatus }
    snoozedUntil?: { to: string | null }
    priority?: object
    mergedInto?: object
    from?: string
  }
}
interface Message {
  id: string
  ticket_id: string
  kind: string
  author_kind: string
  body: string
  held: boolean
  created_at: Date
}

/** The contents of a desk's database at rest. */
export interface Found {
  readonly tickets: readonly Ticket[]
  readonly events: ReadonlyMap<string, readonly Event[]>
  readonly messages: readonly Message[]
  readonly calendar: BusinessHours
  readonly goals: Record<TicketPriority, Parameters<typeof clocksOf>[0]['goals']>
}

export async function lookAt(desk: Desk): Promise<Found> {
  const events = await desk.sql<Event>('select * from support_ticket_events order by at, id')
  const { items } = await desk.lead.must('GET /api/support/tiers')
  return {
    tickets: await desk.sql<Ticket>('select * from support_tickets order by number'),
    events: Map.groupBy(events, ({ ticket_id }) => ticket_id),
    messages: await desk.sql<Message>('select * from support_messages order by created_at, id'),
    calendar: BusinessHours.parse(await desk.lead.must('GET /api/support/hours')),
    goals: items[0]?.goals as Found['goals'],
  }
}

/** Every accepted message is stored once, in its ticket; refused ones are not stored. */
export function expectMessages({ said }: Traffic, { messages, tickets }: Found): void {
  const byMark = Map.groupBy(messages, ({ body }) => /mark-\d+-end/.exec(body)?.[0] ?? '')
  const familyOf = families(tickets)
  const wrong = said.flatMap<object>(({ mark, fate, ticketId }) => {
    const all = byMark.get(mark) ?? []
    const right = fate === 'maybe' ? all.length <= 1 : all.length === (fate === 'once' ? 1 : 0)
    if (!right) return [{ mark, fate, found: all.length }]
    const [found] = all
    if (!found || ticketId === undefined) return []
    return familyOf(found.ticket_id) === familyOf(ticketId)
      ? []
      : [{ mark, in: found.ticket_id, of: ticketId }]
  })
  expect(wrong).toEqual([])
  const marks = new Set(said.map(({ mark }) => mark))
  expect([...byMark.keys()].filter((mark) => mark !== '' && !marks.has(mark))).toEqual([])
}

/** Groups tickets that follow one another or were merged: a message for one may be in another. */
function families(tickets: readonly Ticket[]): (id: string) => string {
  const parents = new Map<string, string>()
  const rootOf = (id: string): string => {
    const parent = parents.get(id)
    return parent === undefined ? id : rootOf(parent)
  }
  for (const { id, merged_into, follow_up_of } of tickets)
    for (const other of [merged_into, follow_up_of])
      if (other !== null && rootOf(other) !== rootOf(id)) parents.set(rootOf(id), rootOf(other))
  return rootOf
}

/** The history of each ticket leads from one status to the next, and to the one that it has. */
export function expectHistories({ tickets, events }: Found): void {
  const wrong = tickets.flatMap<object>(({ id, number, status }) => {
    const steps = (events.get(id) ?? []).flatMap(({ change }) => change.status ?? [])
    let now: TicketStatus = 'new'
    for (const { from, to } of steps) {
      if (from !== now) return [{ number, now, from, to }]
      now = to
    }
    return now === status ? [] : [{ number, status, byHistory: now }]
  })
  expect(wrong).toEqual([])
}

/** Checks the clocks of each ticket against its recorded history alone. */
export function expectClocks(found: Found, nowMs: { before: number; after: number }): void {
  const byTicket = Map.groupBy(found.messages, ({ ticket_id }) => ticket_id)
  const wrong = found.tickets.flatMap<object>((ticket) => {
    // Its messages are in another ticket; a goal that was met stays so.
    if (ticket.merged_into !== null) {
      const [met, missed] = [ticket.first_met_at, ticket.first_breached_at] as (Date | null)[]
      return !met || !missed || missed < met ? [] : [{ number: ticket.number, met, missed }]
    }
    const events = found.events.get(ticket.id) ?? []
    // Goals that were met before they changed stay met.
    const isPlain = !events.some(
      ({ change }) => change.priority || change.mergedInto || change.from,
    )
    const facts = [...wrote(byTicket.get(ticket.id) ?? []), ...states(events)].sort(
      (a, b) => a.atMs - b.atMs,
    )
    const given = {
      ...{ createdAtMs: ticket.created_at.getTime(), facts, calendar: found.calendar },
      goals: found.goals[ticket.priority],
    }
    const [early, late] = [nowMs.before, nowMs.after].map((now) =>
      clocksOf({ ...given, nowMs: now }),
    )
    if (!early || !late) return []
    return (['first', 'next', 'resolution'] as const).flatMap((goal) => {
      const at = (what: string) => (ticket[`${goal}_${what}`] as Date | null)?.getTime() ?? null
      const clock = early[goal]
      const isOver = ticket.status === 'closed' || ticket.status === 'solved'
      const faults = [
        at('met_at') === clock.metAtMs || 'met',
        ...(clock.metAtMs !== null && !isPlain ? [] : compared(clock, late[goal], at)),
        goal !== 'resolution' ||
          isOver ||
          Math.abs(Number(ticket.resolution_paused_ms) - pausedAt(early.resolution, ticket)) ===
            0 ||
          'paused',
      ].filter((one) => one !== true)
      if (faults.length === 0) return []
      return [
        { number: ticket.number, status: ticket.status, goal, faults, clock, at: at('target_at') },
      ]
    })
  })
  expect(wrong).toEqual([])
}

/** While a ticket waits, its row has the paused time of its last change. */
const pausedAt = (clock: Clock, ticket: Ticket): number =>
  ticket.resolution_paused_at === null ? clock.pausedMs : Number(ticket.resolution_paused_ms)

function compared(clock: Clock, later: Clock, at: (what: string) => number | null) {
  return [
    at('target_at') === clock.targetAtMs || 'target',
    !clock.warned || at('warned_at') !== null || 'not warned',
    at('warned_at') === null || later.warned || 'warned too early',
    !clock.breached || at('breached_at') !== null || 'not breached',
    at('breached_at') === null || later.breached || 'breached too early',
  ]
}

const wrote = (messages: readonly Message[]): Fact[] =>
  messages.flatMap(({ kind, author_kind, held, created_at }) =>
    kind !== 'reply' || held || author_kind === 'system'
      ? []
      : {
          ...{ atMs: created_at.getTime() },
          what: author_kind === 'agent' ? 'agent_reply' : 'customer_message',
        },
  )

function states(events: readonly Event[]): Fact[] {
  let [status, isSnoozed]: [TicketStatus, boolean] = ['new', false]
  return events.flatMap(({ at, change }) => {
    if (!change.status && !change.snoozedUntil) return []
    if (change.status) [status, isSnoozed] = [change.status.to, false]
    if (change.snoozedUntil) isSnoozed = change.snoozedUntil.to !== null
    return { atMs: at.getTime(), what: 'state' as const, state: stateOf(status, isSnoozed) }
  })
}

function stateOf(status: TicketStatus, isSnoozed: boolean): State {
  if (status === 'solved' || status === 'closed') return 'solved'
  return isSnoozed || status === 'pending' || status === 'on_hold' ? 'waiting' : 'running'
}
