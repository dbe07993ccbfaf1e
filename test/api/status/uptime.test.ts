import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { recordPresent } from '../../../control-plane/src/domains/status/uptime/record.ts'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { SETTINGS } from './status.fixture.ts'

let lodge: Lodge
let beside: Lodge
let admin: Caller
beforeAll(async () => {
  lodge = await startLodge()
  beside = await lodge.beside()
  admin = await lodge.admin()
})
afterAll(async () => {
  await beside?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})
const sql = (text: string, values: unknown[] = []) => lodge.database.pool.query(text, values)
const minutesOf = async (id: string) => {
  const { rows } = await sql(
    `select state, extract(epoch from until - "from")::int / 60 as minutes from status_spans
     where component_id = $1 order by "from"`,
    [id],
  )
  return rows
}
const stateOf = async (id: string) =>
  (await admin.must('GET /api/status/components')).items.find((one) => one.id === id)?.state
const add = async (body: Parameters<typeof create>[0]) => (await create(body)).id
const create = (
  body:
    | { source: 'manual' | 'panel'; name: string }
    | { source: 'location'; location: string; name: string },
) => admin.must('POST /api/status/components', { body })
/** Lets so many minutes pass for all recorded data. */
const pass = (minutes: number) =>
  sql(
    `with clock as (update status_clock set recorded_until = recorded_until - make_interval(mins => $1),
         unbroken_since = unbroken_since - make_interval(mins => $1))
     update status_spans set "from" = "from" - make_interval(mins => $1),
       until = until - make_interval(mins => $1)`,
    [minutes],
  )
const record = (at: Lodge = lodge) => recordPresent(at.controlPlane.services)

beforeEach(async () => {
  await admin.must('PUT /api/status/settings', { body: { ...SETTINGS, enabled: false } })
  await sql('delete from status_components')
  await sql('delete from status_incidents')
  await sql('delete from status_clock')
})
/**
 * Turned on only while `work` records: the periodic task of the test's control planes does not run in
 * between.
 */
const whileOn = async (work: () => Promise<void>) => {
  await admin.must('PUT /api/status/settings', { body: SETTINGS })
  await work()
}

describe('a minute', () => {
  test('is recorded once, however many control planes record it', async () => {
    const id = await add({ source: 'panel', name: 'Panel' })
    await whileOn(async () => {
      await Promise.all(Array.from({ length: 10 }, (_, at) => record(at % 2 ? beside : lodge)))
      await until(async () => (await minutesOf(id)).length > 0)
      expect(await minutesOf(id)).toEqual([{ state: 'operational', minutes: 1 }])
      await pass(1)
      await Promise.all(Array.from({ length: 10 }, (_, at) => record(at % 2 ? beside : lodge)))
      expect(await minutesOf(id)).toEqual([{ state: 'operational', minutes: 2 }])
    })
  })

  test('that was not recorded stays unknown', async () => {
    const id = await add({ source: 'panel', name: 'Panel' })
    await whileOn(async () => {
      await record()
      await pass(10)
      await record()
      const spans = await minutesOf(id)
      expect(spans).toEqual([
        { state: 'operational', minutes: 1 },
        { state: 'operational', minutes: 1 },
      ])
      const board = await until(async () => {
        const { body, status } = await lodge.anonymous().call('GET /api/status')
        return status === 200 && body.components[0]?.id === id ? body.components[0] : undefined
      })
      expect(board.uptimePercent).toBe(100)
      const known = board.days.reduce((sum, day) => sum + day.upMinutes, 0)
      expect(known).toBeLessThanOrEqual(2)
      expect(board.days.at(0)).toMatchObject({ worst: 'unknown', upMinutes: 0 })
    })
  })

  test('has another state during maintenance, and a worse one while an incident is open', async () => {
    const id = await add({ source: 'manual', name: 'Backups' })
    const other = await add({ source: 'manual', name: 'DNS' })
    await whileOn(async () => {
      await admin.must('POST /api/status/incidents', {
        body: {
          ...{ kind: 'maintenance', title: 'Work', body: 'Soon.', publish: true },
          ...{ componentIds: [id], startsAt: past(5), endsAt: future(60) },
        },
      })
      const incident = await admin.must('POST /api/status/incidents', {
        body: {
          ...{ kind: 'incident', title: 'Down', body: 'It is.', publish: true },
          ...{ componentIds: [other, id], impact: 'partial' },
        },
      })
      expect(await stateOf(id)).toBe('maintenance')
      expect(await stateOf(other)).toBe('partial')
      await sql('delete from status_clock')
      await sql('delete from status_spans')
      await record()
      await until(async () => (await minutesOf(other)).length === 1)
      expect(await minutesOf(id)).toMatchObject([{ state: 'maintenance' }])
      expect(await minutesOf(other)).toMatchObject([{ state: 'partial' }])
      await admin.must('POST /api/status/incidents/{id}/updates', {
        params: { id: incident.id },
        body: { state: 'resolved', body: 'It works again.' },
      })
      expect(await stateOf(other)).toBe('operational')
    })
  })
})

const past = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const future = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

describe('a location', () => {
  const silent = (id: string, seconds: number) =>
    sql(
      `update nodes set session_id = null, last_seen_at = now() - make_interval(secs => $2) where id = $1`,
      [id, seconds],
    )
  const listened = (minutes: number) =>
    sql(
      `insert into status_clock (id, recorded_until, unbroken_since)
       values (1, now() + interval '1 hour', now() - make_interval(mins => $1))
       on conflict (id) do update set recorded_until = excluded.recorded_until,
         unbroken_since = excluded.unbroken_since`,
      [minutes],
    )

  test('is derived from its nodes, and unknown while they may only be restarting', async () => {
    const one = await lodge.joinedNode({ location: 'Rack 7' })
    const two = await lodge.joinedNode({ location: 'Rack 7' })
    const id = await add({ source: 'location', location: 'Rack 7', name: 'Zurich' })
    await silent(one.id, 600)
    await silent(two.id, 600)
    // No control plane has been listening for long, so nodes may be about to reconnect.
    await listened(1)
    expect(await stateOf(id)).toBe('unknown')
    await listened(10)
    expect(await stateOf(id)).toBe('outage')
    await silent(two.id, 30)
    expect(await stateOf(id)).toBe('unknown')
    const online = `update nodes set session_id = gen_random_uuid(), last_seen_at = now() + interval '1 hour' where id = $1`
    await sql(online, [two.id])
    expect(await stateOf(id)).toBe('partial')
    await sql(online, [one.id])
    expect(await stateOf(id)).toBe('operational')
    await sql('delete from nodes where location = $1', ['Rack 7'])
    expect(await stateOf(id)).toBe('unknown')
  })

  test('has one component, whose state no person can set', async () => {
    const id = await add({ source: 'location', location: 'Hall', name: 'Hall' })
    const again = { source: 'location' as const, location: 'Hall', name: 'Again' }
    expect(await admin.call('POST /api/status/components', { body: again })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
    const change = { params: { id }, body: { health: 'outage' as const } }
    expect(await admin.call('PATCH /api/status/components/{id}', change)).toMatchObject({
      status: 409,
      body: { code: 'invalid_state' },
    })
  })
})
