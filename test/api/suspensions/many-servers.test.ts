import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

const SERVERS = 50

let lodge: Lodge
let admin: Caller
let ann: Caller
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  ann = await lodge.customer()
  const [{ id: templateId }, { id: nodeId }] = [await lodge.template(), await lodge.node()]
  for (let at = 0; at < SERVERS; at++)
    await lodge.server({ name: `Server ${at}`, ownerId: ann.id, templateId, nodeId, start: true })
})
afterAll(() => lodge[Symbol.asyncDispose]())

const params = () => ({ id: ann.id })
const suspend = () =>
  admin.call('POST /api/customers/{id}/suspend', {
    params: params(),
    body: { reasonCode: 'abuse' },
  })
const held = async (): Promise<number> => {
  const { rows } = await lodge.database.pool.query<{ count: number }>(
    `select count(*)::int as count from server_holds where kind = 'suspension' and cause = 'account'`,
  )
  return rows[0]?.count ?? 0
}
const state = async () => (await ann.must('GET /api/auth/me')).state

test('an interrupted suspension of fifty servers is rolled back, and a repeated one stops them all', async () => {
  const { pool } = lodge.database
  const client = await pool.connect()
  try {
    // The last server cannot be locked, so the suspension waits with all others done.
    await client.query('begin')
    await client.query(
      'select from servers where owner_id = $1 order by id desc limit 1 for update',
      [ann.id],
    )
    const interrupted = suspend()
    const waiting = await until(async () => {
      const { rows } = await pool.query<{ pid: number }>(
        `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
      return rows[0]?.pid
    })
    expect(await held(), 'nobody sees half of it').toBe(0)
    // A killed control plane leaves a terminated connection to the database.
    await pool.query('select pg_terminate_backend($1)', [waiting])
    expect((await interrupted).status).toBeGreaterThanOrEqual(500)
  } finally {
    await client.query('rollback')
    client.release()
  }
  expect([await held(), await state()]).toEqual([0, 'active'])
  const beganMs = performance.now()
  expect((await suspend()).status).toBe(200)
  expect(performance.now() - beganMs).toBeLessThan(10_000)
  expect([await held(), await state()]).toEqual([SERVERS, 'suspended'])
})

test('lifting and suspending concurrently ends completely in one of the two states', async () => {
  const lift = () =>
    admin.call('DELETE /api/customers/{id}/suspension', { params: params(), query: {} })
  const again = async () => [await lift(), await suspend()].map(({ status }) => status)
  const rounds = await Promise.all([again(), again(), again()])
  expect(rounds.flat().every((status) => [200, 204, 409].includes(status))).toBe(true)
  expect(await held()).toBe((await state()) === 'suspended' ? SERVERS : 0)
})
