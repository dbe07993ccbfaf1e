import { afterAll, beforeAll, expect, test } from 'vitest'
import { type JoinedNode, type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

// What nodes say is recorded however busy the database is: their leases depend on it.

const CONNECTIONS = 5
let lodge: Lodge
let node: JoinedNode
beforeAll(async () => {
  lodge = await startLodge({ environment: { LODGE_DATABASE_CONNECTIONS: `${CONNECTIONS}` } })
  node = await lodge.node()
})
afterAll(() => lodge?.[Symbol.asyncDispose]())

async function lastSeen(): Promise<number> {
  const { rows } = await lodge.database.pool.query<{ ms: number }>(
    `select (extract(epoch from last_seen_at) * 1000)::float8 as ms from nodes where id = $1`,
    [node.id],
  )
  return rows[0]?.ms ?? 0
}
const heardAgain = (before: number) => until(async () => (await lastSeen()) > before, 12_000)

test('a heartbeat is recorded although one change after the other has the row of the node locked', async () => {
  const [one, other] = [
    await lodge.database.pool.connect(),
    await lodge.database.pool.connect(),
  ] as const
  const take = (client: typeof one) =>
    client
      .query('begin')
      .then(() => client.query('select from nodes where id = $1 for no key update', [node.id]))
  let isOver = false
  await take(one)
  const changes = (async () => {
    for (let [holds, waits] = [one, other]; ; [holds, waits] = [waits, holds]) {
      const taken = isOver ? undefined : take(waits)
      await holds.query('select pg_sleep(0.2)')
      await holds.query('commit')
      if (!taken) return
      await taken
    }
  })()
  try {
    await heardAgain(await lastSeen())
  } finally {
    isOver = true
    await changes
    for (const client of [one, other]) client.release()
  }
})

test('a heartbeat is recorded although requests wait in every connection to the database', async () => {
  const admin = await lodge.admin()
  const { id } = await lodge.customer()
  const blocker = await lodge.database.pool.connect()
  await blocker.query('begin')
  await blocker.query('select from users where id = $1 for update', [id])
  const requests = Array.from({ length: 20 }, () =>
    admin.call('PATCH /api/customers/{id}', { params: { id }, body: { name: 'Ada' } }),
  )
  const waiting = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  const busy = async () => {
    const { rows } = await blocker.query<{ count: number }>(waiting)
    return (rows[0]?.count ?? 0) >= CONNECTIONS
  }
  try {
    await until(busy)
    await heardAgain(await lastSeen())
    expect(await busy()).toBe(true)
  } finally {
    await blocker.query('rollback')
    blocker.release()
    await Promise.all(requests)
  }
})
