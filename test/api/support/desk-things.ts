import { randomUUID } from 'node:crypto'
import { NO_GOALS } from '@lodge/shared/support/tiers.ts'
import type { Lodge } from '../../support/stack.ts'
import type { Overrides } from './samples.ts'

/** A tier that no plan has. */
export async function tierOf({ database }: Lodge): Promise<string> {
  const id = randomUUID()
  const goals = { low: NO_GOALS, normal: NO_GOALS, high: NO_GOALS, urgent: NO_GOALS }
  await database.pool.query(
    `insert into support_tiers (id, name, calendar, goals) values ($1, $2, 'always', $3)`,
    [id, id, goals],
  )
  return id
}

/** A macro for all agents. */
export async function macroOf({ database }: Lodge): Promise<string> {
  const id = randomUUID()
  await database.pool.query(
    `insert into support_macros (id, name, scope, actions, updated_at) values ($1, 'Restart', 'all', '[]', now())`,
    [id],
  )
  return id
}

/** A mail in a ticket of its own, which waits for an agent. */
export async function heldMailOf({ database }: Lodge): Promise<string> {
  const id = randomUUID()
  await database.pool.query(
    `with ticket as (
       insert into support_tickets (id, subject, status, priority, source, answers, requester_email,
         created_at, updated_at, touched_at, status_since)
       values (gen_random_uuid(), 'x', 'new', 'normal', 'email', '{}', 'a@example.com',
         now(), now(), now(), now()) returning id)
     insert into support_messages (id, ticket_id, kind, author_kind, body, channel, held, created_at, words)
     select $1, id, 'reply', 'customer', 'x', 'email', true, now(), '' from ticket`,
    [id],
  )
  return id
}

/** Bodies about the support desk that no schema alone describes. */
export const deskBodies: Overrides = {
  'POST /api/support/articles/{slug}/vote': () => ({ helpful: true }),
  'PUT /api/support/tiers/{id}': () => ({ name: randomUUID(), goals: {} }),
  'PUT /api/support/hours': () => ({ timeZone: 'UTC', week: {}, holidays: [] }),
}
