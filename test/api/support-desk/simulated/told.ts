import { expect } from 'vitest'
import type { Found } from './checks.ts'
import { type Desk, RULES } from './desk.ts'
import type { Traffic } from './traffic.ts'

const SAID = { first: 'First answer', next: 'Next answer', resolution: 'Solution' } as const

/**
 * Nobody was notified twice of a missed goal, or that it is near: its agent, or all if it has none. A
 * goal restarts with a customer's next message, and its warning with another priority.
 */
export async function expectTold(desk: Desk, { tickets, events }: Found): Promise<void> {
  const told = await desk.sql<{ title: string; count: number }>(
    `select title, max(count)::int as count from (
       select title, count(*) from notifications
       where type in ('ticket.goal_near', 'ticket.goal_missed') group by title, user_id) each_person
     group by title`,
  )
  const times = new Map(told.map(({ title, count }) => [title, count]))
  const wrong = tickets.flatMap(({ id, number, ...ticket }) => {
    const all = events.get(id) ?? []
    if (all.some(({ change }) => change.priority || change.mergedInto || change.from)) return []
    return (['first', 'resolution'] as const).flatMap((goal) => {
      const name = `${SAID[goal]} for T-${String(number).padStart(6, '0')}`
      const [near, late] = [
        times.get(`${name} is due soon`) ?? 0,
        times.get(`${name} is late`) ?? 0,
      ]
      const isMissed = ticket[`${goal}_breached_at`] !== null
      const right = near <= 1 && late <= 1 && (isMissed || late === 0)
      return right ? [] : [{ name, near, late, isMissed }]
    })
  })
  expect(wrong).toEqual([])
}

/** The rule ran once on each ticket about a disk, and the rule for late ones on each late one. */
export async function expectRules(desk: Desk, { tickets }: Found): Promise<void> {
  const rows = await desk.sql<{ name: string; ticket_id: string; count: number }>(
    `select r.name, u.ticket_id, count(*)::int as count
     from support_rule_runs u join support_rules r on r.id = u.rule_id group by r.name, u.ticket_id`,
  )
  const runs = new Map(rows.map(({ name, ticket_id, count }) => [`${name} ${ticket_id}`, count]))
  const wrong = tickets.flatMap(({ id, number, subject, follow_up_of, ...ticket }) => {
    const isDisk = /^(Re: )?My disk/.test(subject)
    const once = runs.get(`${RULES.disk} ${id}`) ?? 0
    // No rule runs on a ticket that became late only when it was merged.
    const isLate =
      ticket.merged_into === null &&
      (ticket.first_breached_at !== null || ticket.resolution_breached_at !== null)
    const late = runs.get(`${RULES.late} ${id}`) ?? 0
    return once === (isDisk ? 1 : 0) && (!isLate || late >= 1)
      ? []
      : [{ number, subject, once, isLate, late }]
  })
  expect(wrong).toEqual([])
}

/** The customer got each answer of an agent by mail, once, and never a note. */
export async function expectMails(desk: Desk, { said }: Traffic, found: Found): Promise<void> {
  const times = new Map<string, number>()
  // A mail quotes below its own text; the desk quotes nothing.
  for (const { raw } of desk.sink.mails)
    for (const mark of new Set(raw.match(/mark-\d+-end/g)))
      times.set(mark, (times.get(mark) ?? 0) + 1)
  const there = new Set(found.messages.map(({ body }) => body))
  const wrong = said.flatMap(({ mark, by, isNote }) => {
    const expected = by === 'agent' && !isNote && there.has(mark) ? 1 : 0
    // One part is text and one HTML, both of the same mail.
    const got = times.get(mark) ?? 0
    return got === expected ? [] : [{ mark, by, isNote, expected, got }]
  })
  expect(wrong).toEqual([])
}

/** The audit record contains each accepted change, and nothing else. */
export async function expectAudit(desk: Desk, { accepted, lost }: Traffic): Promise<void> {
  const rows = await desk.sql<{ action: string; count: number }>(
    `select action, count(*)::int as count from audit_log where actor_kind = 'user' group by action`,
  )
  const recorded = new Map(rows.map(({ action, count }) => [action, count]))
  for (const [endpoint, count] of accepted) {
    const found = recorded.get(endpoint) ?? 0
    expect(found, endpoint).toBeGreaterThanOrEqual(count)
    expect(found, endpoint).toBeLessThanOrEqual(count + (lost.get(endpoint) ?? 0))
  }
}

export async function expectRest(desk: Desk): Promise<void> {
  expect(await desk.sql('select id, kind from jobs where ended_at is null')).toEqual([])
  expect(await desk.sql('select * from support_watches where due_at <= now()')).toEqual([])
  expect(await desk.sql(`select id from email_messages where state <> 'sent'`)).toEqual([])
}
