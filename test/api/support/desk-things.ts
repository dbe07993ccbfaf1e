import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { NO_GOALS } from '@lodge/shared/support/tiers.ts'
import type { Lodge } from '../../support/stack.ts'
import type { Overrides } from './samples.ts'

async function one(lodge: Lodge, sql: string, ...values: unknown[]): Promise<string> {
  const { rows } = await lodge.database.pool.query<{ id: string }>(sql, values)
  if (!rows[0]) throw new Error(`nothing came of ${sql}`)
  return rows[0].id
}

/** A solved ticket of a customer, which can be answered, rated and opened again. */
async function ticketOf(lodge: Lodge, ownerId: string): Promise<string> {
  const id = await one(
    lodge,
    `insert into support_tickets (id, subject, status, priority, source, answers, requester_id,
       requester_email, created_at, updated_at, touched_at, status_since, solved_at)
     select gen_random_uuid(), 'Sample', 'solved', 'normal', 'web', '{}', id, email,
       now(), now(), now(), now(), now() from users where id = $1 returning id`,
    ownerId,
  )
  await messageIn(lodge, id)
  await messageIn(lodge, id)
  return id
}

export const messageIn = (lodge: Lodge, ticketId: string): Promise<string> =>
  one(
    lodge,
    `insert into support_messages (id, ticket_id, kind, author_kind, body, channel, created_at, words)
     values (gen_random_uuid(), $1, 'reply', 'customer', 'x', 'web', now(), '') returning id`,
    ticketId,
  )

/** A file in a ticket; undefined if this is no ticket. */
export async function fileIn(lodge: Lodge, ticketId: string): Promise<string | undefined> {
  const { rows } = await lodge.database.pool.query('select from support_tickets where id = $1', [
    ticketId,
  ])
  if (rows.length === 0) return undefined
  const bytes = Readable.from([Buffer.from('x')])
  const { sha256 } = await lodge.controlPlane.services.blobs.put(bytes, { maxBytes: 1 })
  return one(
    lodge,
    `insert into attachments (id, message_kind, message_id, name, type, size_bytes, sha256)
     values (gen_random_uuid(), 'ticket', $1, 'x.txt', 'text/plain', 1, $2) returning id`,
    await messageIn(lodge, ticketId),
    sha256,
  )
}

const categoryOf = (lodge: Lodge): Promise<string> =>
  one(
    lodge,
    'insert into support_categories (id, name) values (gen_random_uuid(), $1) returning id',
    randomUUID(),
  )

const groupOf = (lodge: Lodge): Promise<string> =>
  one(
    lodge,
    'insert into support_groups (id, name) values (gen_random_uuid(), $1) returning id',
    randomUUID(),
  )

/** A rule that only marks incoming tickets. */
const ruleOf = (lodge: Lodge): Promise<string> =>
  one(
    lodge,
    `insert into support_rules (id, name, enabled, position, on_event, conditions, actions, stop)
     values (gen_random_uuid(), 'Sample', true, 0, 'ticket.created', '{"all":[],"any":[]}',
       '[{"type":"add_tags","tags":["sample"]}]', false) returning id`,
  )

interface Ground {
  readonly lodge: Lodge
}

/** How to create the things of the desk. */
export const DESK_MAKES = {
  ticket: ({ lodge }: Ground, ownerId: string) => ticketOf(lodge, ownerId),
  category: ({ lodge }: Ground) => categoryOf(lodge),
  group: ({ lodge }: Ground) => groupOf(lodge),
  rule: ({ lodge }: Ground) => ruleOf(lodge),
}

/** What the staff need in addition to the endpoint. */
export const DESK_BESIDE = {
  'PATCH /api/support/tickets/{id}': ['support.reply'],
  'POST /api/support/tickets/{id}/messages': ['support.reply'],
  'POST /api/support/tickets/{id}/reopen': ['support.reply'],
  'POST /api/support/tickets/bulk': ['support.view'],
  'POST /api/support/rules/try': ['support.view'],
  'GET /api/support/rules/{id}/runs': ['support.view'],
} as const

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

/** A held mail in a ticket of its own, which waits for an agent. */
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

const SAMPLE_RULE = {
  ...{ name: 'Sample', on: 'ticket.created', when: {} },
  actions: [{ type: 'add_tags', tags: ['sample'] }],
}

/** Bodies about the support desk that no schema alone describes. */
export const deskBodies: Overrides = {
  'POST /api/support/articles/{slug}/vote': () => ({ helpful: true }),
  'PUT /api/support/tiers/{id}': () => ({ name: randomUUID(), goals: {} }),
  'POST /api/support/rules': () => SAMPLE_RULE,
  'POST /api/support/rules/try': () => ({ rule: SAMPLE_RULE, ticketId: randomUUID() }),
  'PUT /api/support/hours': () => ({ timeZone: 'UTC', week: {}, holidays: [] }),
  'PATCH /api/support/tickets/{id}': () => ({ version: 1, participants: ['new@example.com'] }),
  'PUT /api/support/drafts/{id}': () => ({ content: { body: 'x' }, version: 0 }),
}
