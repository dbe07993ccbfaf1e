import { randomUUID } from 'node:crypto'
import type { Caller } from '../../support/caller.ts'
import type { Lodge } from '../../support/stack.ts'
import type { Race } from './race.ts'

interface Ground {
  readonly lodge: Lodge
  readonly admin: Caller
  readonly sql: (text: string, values: unknown[]) => Promise<unknown>
  /** The same person, at one control plane or the other. */
  readonly either: (caller: Caller, at: number) => Caller
}

/** How the capped things of the support desk are created. */
export const deskRaces = (ground: () => Ground): Readonly<Record<string, () => Promise<Race>>> => ({
  'categories of tickets': async () => ({
    of: '',
    fill: (count) =>
      ground().sql(
        `insert into support_categories (id, name)
         select gen_random_uuid(), 'Category ' || n
         from generate_series(1, $1::int - (select count(*)::int from support_categories)) n`,
        [count],
      ),
    add: async (at) => {
      const body = { name: `One ${at}` }
      return (await by(ground(), at).call('POST /api/support/categories', { body })).status
    },
  }),
  'groups of agents': async () => ({
    of: '',
    fill: (count) =>
      ground().sql(
        `insert into support_groups (id, name)
         select gen_random_uuid(), 'Group ' || n
         from generate_series(1, $1::int - (select count(*)::int from support_groups)) n`,
        [count],
      ),
    add: async (at) => {
      const body = { name: `One ${at}` }
      return (await by(ground(), at).call('POST /api/support/groups', { body })).status
    },
  }),
  'support tiers': async () => ({
    of: '',
    fill: (count) =>
      ground().sql(
        `insert into support_tiers (id, name, calendar, goals)
         select gen_random_uuid(), 'Tier ' || n, 'always', (select goals from support_tiers limit 1)
         from generate_series(1, $1::int - (select count(*)::int from support_tiers)) n`,
        [count],
      ),
    add: async (at) => {
      const params = { id: randomUUID() }
      const body = { name: `One ${at}`, goals: {} }
      return (await by(ground(), at).call('PUT /api/support/tiers/{id}', { params, body })).status
    },
  }),
  'support rules': async () => ({
    of: '',
    fill: (count) =>
      ground().sql(
        `insert into support_rules (id, name, enabled, position, on_event, conditions, actions, stop)
         select gen_random_uuid(), 'Rule ' || n, false, n, 'ticket.rated', '{"all":[],"any":[]}', '[]',
           false from generate_series(1, $1) n`,
        [count],
      ),
    add: async (at) => {
      const body = {
        ...{ name: `One ${at}`, on: 'ticket.rated' as const, when: {} },
        actions: [{ type: 'add_tags' as const, tags: ['rated'] }],
      }
      return (await by(ground(), at).call('POST /api/support/rules', { body })).status
    },
  }),
  macros: async () => ({
    of: '',
    fill: (count) =>
      ground().sql(
        `insert into support_macros (id, name, scope, actions, updated_at)
         select gen_random_uuid(), 'Macro ' || n, 'all', '[]', now() from generate_series(1, $1) n`,
        [count],
      ),
    add: async (at) => {
      const body = {
        name: `One ${at}`,
        scope: 'all' as const,
        actions: [{ type: 'reply' as const, text: 'Restart it.' }],
      }
      return (await by(ground(), at).call('POST /api/support/macros', { body })).status
    },
  }),
  'unsolved tickets of an account': async () => {
    const { lodge, either, sql } = ground()
    const person = await lodge.customer()
    return {
      of: person.id,
      fill: (count) =>
        sql(
          `insert into support_tickets (id, subject, status, priority, source, answers, requester_id,
             requester_email, created_at, updated_at, touched_at, status_since)
           select gen_random_uuid(), 'Sample', 'open', 'normal', 'web', '{}', id, email,
             now(), now(), now(), now() from users, generate_series(1, $2) where id = $1`,
          [person.id, count],
        ),
      add: async (at) => {
        const body = { subject: `Question ${at}`, bodyMarkdown: 'How?' }
        for (;;) {
          const { status } = await either(person, at).call('POST /api/support/tickets', { body })
          if (status !== 429) return status
          // The rate limit accepts fewer than are sent here.
          await sql('delete from rate_limits', [])
        }
      },
    }
  },
})

const by = ({ either, admin }: Ground, at: number): Caller => either(admin, at)

/** Counts independently of the caps' own queries. */
export const deskCounts = {
  'categories of tickets': 'select count(*) from support_categories',
  'groups of agents': 'select count(*) from support_groups',
  'support tiers': 'select count(*) from support_tiers',
  'support rules': 'select count(*) from support_rules',
  macros: 'select count(*) from support_macros',
  'unsolved tickets of an account': `select count(*) from support_tickets
     where requester_id = $1 and status not in ('solved', 'closed')`,
}
