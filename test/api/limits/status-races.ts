import { randomUUID } from 'node:crypto'
import type { Caller } from '../../support/caller.ts'
import type { Lodge } from '../../support/stack.ts'
import type { Race } from './race.ts'

interface Ground {
  readonly lodge: Lodge
  readonly beside: Lodge
  readonly admin: Caller
  readonly sql: (text: string, values: unknown[]) => Promise<unknown>
  /** The same person, at one control plane or the other. */
  readonly either: (caller: Caller, at: number) => Caller
}

/** How the capped things of the status page are created. */
export const statusRaces = (
  ground: () => Ground,
): Readonly<Record<string, () => Promise<Race>>> => ({
  'components of the status page': async () => ({
    of: '',
    fill: (count) =>
      ground().sql(
        `insert into status_components (id, name, description, source, shown, position)
         select gen_random_uuid(), 'One', '', 'manual', false, n from generate_series(1, $1) n`,
        [count],
      ),
    add: async (at) => {
      const body = { source: 'manual' as const, name: `Component ${at}` }
      return (await by(ground(), at).call('POST /api/status/components', { body })).status
    },
  }),
  'open incidents of the status page': async () => ({
    of: '',
    fill: (count) =>
      ground().sql(
        `insert into status_incidents (id, kind, title, state, impact, starts_at, announced)
         select gen_random_uuid(), 'incident', 'One', 'investigating', 'partial', now(), false
         from generate_series(1, $1)`,
        [count],
      ),
    add: async (at) => {
      const body = {
        ...{ kind: 'incident' as const, title: `Incident ${at}` },
        ...{ impact: 'partial' as const, body: 'Something is wrong.' },
      }
      return (await by(ground(), at).call('POST /api/status/incidents', { body })).status
    },
  }),
  'updates of an incident': async () => {
    const id = randomUUID()
    await ground().sql(
      `insert into status_incidents (id, kind, title, state, impact, starts_at, announced, ended_at)
       values ($1, 'incident', 'One', 'investigating', 'partial', now(), false, now())`,
      [id],
    )
    return {
      of: id,
      fill: (count) =>
        ground().sql(
          `insert into status_updates (id, incident_id, state, body, at)
           select gen_random_uuid(), $1, 'monitoring', 'One', now() from generate_series(1, $2)`,
          [id, count],
        ),
      add: async (at) => {
        const given = { params: { id }, body: { body: `Update ${at}` } }
        const url = 'POST /api/status/incidents/{id}/updates'
        return (await by(ground(), at).call(url, given)).status
      },
    }
  },
  'subscribers of the status page': async () => {
    const { lodge, beside, sql } = ground()
    for (const [area, value] of [
      ['mail', '{"host":"127.0.0.1","port":9}'],
      ['status', '{"enabled":true,"subscriptions":true}'],
    ])
      await sql('insert into settings (area, value) values ($1, $2)', [area, value])
    return {
      of: '',
      fill: (count) =>
        sql(
          `insert into status_subscribers (id, address, asked_at, confirmed_at)
           select gen_random_uuid(), n || '@example.com', now(), now() from generate_series(1, $1) n`,
          [count],
        ),
      add: async (at) => {
        const response = await (at % 2 ? beside : lodge)
          .anonymous({ address: `203.0.113.${at}` })
          .send({
            method: 'POST',
            url: '/api/status/subscribers',
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
            payload: `email=new-${at}@example.com`,
          })
        return response.statusCode
      },
    }
  },
})

const by = ({ either, admin }: Ground, at: number): Caller => either(admin, at)

/** Counts independently of the caps' own queries. */
export const statusCounts = {
  'components of the status page': 'select count(*) from status_components',
  'open incidents of the status page':
    'select count(*) from status_incidents where ended_at is null',
  'updates of an incident': 'select count(*) from status_updates where incident_id = $1',
  'subscribers of the status page': `select (select count(*) from status_subscribers)
    + (select count(*) from status_requests) as count`,
}
