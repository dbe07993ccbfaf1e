import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { type FreshDatabase, freshDatabase } from '../../../../test/support/database.ts'
import { until } from '../../../../test/support/until.ts'
import { Permanent, saga } from '../sagas/saga.ts'
import { openWorkshop, type Workshop } from '../worker.fixture.ts'
import { type Fact, WaitExpired } from './parking.ts'

let database: FreshDatabase
let workshop: Workshop
beforeEach(async () => {
  database = await freshDatabase()
  workshop = await openWorkshop(database.url)
})
afterEach(async () => {
  await workshop.stop()
  await database.drop()
})

const facts = new Map<string, boolean>()
const runs: string[] = []
/** A single step that waits for a fact, which becomes true when the test says so. */
const waits = (factOf: (given: { name: string }) => Fact) =>
  saga('test.waits', z.object({ name: z.string() })).step('Wait', {
    async do(given, { waitUntil }) {
      runs.push(given.name)
      try {
        await waitUntil(factOf(given), async () => facts.get(given.name) ?? false)
      } catch (error) {
        if (!(error instanceof WaitExpired)) throw error
        throw new Permanent('node_timeout', 'It did not come in time')
      }
    },
  })

async function enqueue(work: ReturnType<typeof waits>, name: string, serverId?: string) {
  const about = { title: `Start ${name}` as const, ...(serverId && { serverId }) }
  return (await workshop.jobs.sagas.enqueue(workshop.ctx, work, { name }, about)).id
}
const row = async (id: string) =>
  (
    await database.pool.query(
      `select j.state, j.failure, j.generation, s.parked_node as node, d.worker, d.attempts
       from jobs j join sagas s on s.job_id = j.id left join job_dispatch d on d.job_id = j.id
       where j.id = $1`,
      [id],
    )
  ).rows[0]
const isParked = async (id: string) => {
  const { node, worker, attempts } = await row(id)
  return node !== null && worker === null && attempts === 0
}
const state = async (id: string) => (await row(id)).state

test('jobs that wait for a node occupy no worker and resume when it connects', async () => {
  const nodeId = await aNode()
  const work = waits(() => ({ kind: 'node-online', nodeId }))
  const ids = await Promise.all(Array.from({ length: 40 }, (_, at) => enqueue(work, `away ${at}`)))
  await workshop.work(work)
  for (const id of ids) await until(() => isParked(id))
  // Far more jobs wait than there are places, and another still runs at once.
  facts.set('other', true)
  const other = await enqueue(work, 'other')
  await until(async () => (await state(other)) === 'done')
  for (let at = 0; at < 40; at++) facts.set(`away ${at}`, true)
  const beganMs = performance.now()
  await workshop.jobs.sagas.wakeForNodes(workshop.ctx.db, [nodeId])
  for (const id of ids) await until(async () => (await state(id)) === 'done')
  expect(performance.now() - beganMs).toBeLessThan(10_000)
})

test('a saga that waits for a generation is woken once, when it settles', async () => {
  const serverId = randomUUID()
  const work = waits(() => ({ kind: 'generation-settled', generation: 7 }))
  const id = await enqueue(work, 'settles', serverId)
  await workshop.work(work)
  await until(async () => (await row(id)).generation === 7)
  const { desiredState } = workshop.jobs
  await desiredState.settle(workshop.ctx.db, serverId, 6, null)
  expect((await row(id)).generation).toBe(7)
  facts.set('settles', true)
  await desiredState.settle(workshop.ctx.db, serverId, 7, { code: 'image_missing', detail: 'no' })
  // The saga itself judges what the node reports about the generation.
  await until(async () => (await state(id)) === 'done')
})

test('a restart does not extend the deadline of a wait', async () => {
  const work = waits(() => ({
    kind: 'generation-settled',
    generation: 1,
    withinMs: 1_500,
  }))
  const id = await enqueue(work, 'expires', randomUUID())
  await workshop.work(work)
  await until(async () => (await row(id)).generation === 1)
  await workshop.stopWorking()
  await workshop.work(work)
  await until(async () => (await state(id)) === 'failed')
  expect((await row(id)).failure).toEqual({
    code: 'node_timeout',
    detail: 'It did not come in time',
  })
  const { rows } = await database.pool.query(
    'select extract(epoch from ended_at - created_at)::float as seconds from jobs where id = $1',
    [id],
  )
  expect(rows[0].seconds).toBeLessThan(8)
})

test('a deadline does not pass before the node that has to report was connected for as long', async () => {
  const nodeId = await aNode()
  const work = waits(() => ({ kind: 'generation-settled', generation: 1, withinMs: 100, nodeId }))
  const id = await enqueue(work, 'silent', randomUUID())
  await workshop.work(work)
  await until(() => runs.filter((name) => name === 'silent').length > 2)
  expect((await row(id)).failure).toBeNull()
  await database.pool.query(
    `update nodes set session_id = gen_random_uuid(), connected_at = now(),
       last_seen_at = now() + interval '1 hour' where id = $1`,
    [nodeId],
  )
  await until(async () => (await state(id)) === 'failed')
})

test('every fact that a step waits for has its own deadline', async () => {
  const [first, second] = [await aNode(), await aNode()]
  let looks = 0
  const work = saga('test.both', z.object({})).step('Wait', {
    async do(_given, { waitUntil }) {
      // It happens while the saga parks, and the saga looks again when that deadline is over.
      const wait = { kind: 'node-online', nodeId: first, withinMs: 100 } as const
      await waitUntil(wait, async () => ++looks > 1)
      await waitUntil({ kind: 'node-online', nodeId: second, withinMs: 60_000 }, async () => {
        return facts.get('second') ?? false
      })
    },
  })
  const { id } = await workshop.jobs.sagas.enqueue(workshop.ctx, work, {}, { title: 'Start both' })
  await workshop.work(work)
  await until(async () => (await row(id)).node === second)
  facts.set('second', true)
  await workshop.jobs.sagas.wakeForNodes(workshop.ctx.db, [second])
  await until(async () => (await state(id)) === 'done')
})

test('a wake-up is not lost while a worker still holds the saga', async () => {
  const nodeId = await aNode()
  const work = saga('test.woken', z.object({})).step('Wait', {
    async do(_given, { waitUntil, ctx, job }) {
      await waitUntil({ kind: 'node-online', nodeId }, async () => {
        const { rows } = await database.pool.query(
          'select parked_node from sagas where job_id = $1',
          [job.id],
        )
        // Registered but not yet returned to the queue: the node connects exactly now.
        if (rows[0].parked_node !== null) {
          facts.set('woken', true)
          await ctx.jobs.sagas.wakeForNodes(ctx.db, [nodeId])
          return false
        }
        return facts.get('woken') ?? false
      })
    },
  })
  const { id } = await workshop.jobs.sagas.enqueue(workshop.ctx, work, {}, { title: 'Start woken' })
  const beganMs = performance.now()
  await workshop.work(work)
  await until(async () => (await state(id)) === 'done')
  expect(performance.now() - beganMs).toBeLessThan(10_000)
})

test('a fact that was being written while its wait began is noticed within seconds', async () => {
  const serverId = randomUUID()
  const work = waits(() => ({ kind: 'generation-settled', generation: 7 }))
  const id = await enqueue(work, 'missed', serverId)
  await workshop.ctx.transaction(async ({ db }) => {
    // Finds no wait yet, and so wakes nobody.
    await workshop.jobs.desiredState.settle(db, serverId, 7, null)
    await workshop.work(work)
    await until(async () => {
      const { generation, worker } = await row(id)
      return generation === 7 && worker === null
    })
    facts.set('missed', true)
  })
  const beganMs = performance.now()
  await until(async () => (await state(id)) === 'done')
  expect(performance.now() - beganMs).toBeLessThan(10_000)
})

test('a cancelled parked job rolls back at once', async () => {
  const nodeId = await aNode()
  const work = waits(() => ({ kind: 'node-online', nodeId }))
  const id = await enqueue(work, 'cancelled')
  await workshop.work(work)
  await until(() => isParked(id))
  await workshop.jobs.sagas.cancel(workshop.ctx.db, id)
  const beganMs = performance.now()
  await until(async () => (await state(id)) === 'cancelled')
  expect(performance.now() - beganMs).toBeLessThan(10_000)
})

/** A node that is not connected. */
async function aNode(): Promise<string> {
  const { rows } = await database.pool.query(
    `insert into nodes (id, name, location, memory_mb, cpu_percent, disk_mb, port_ranges)
     values (gen_random_uuid(), gen_random_uuid(), 'Here', 64, 10, 64, '[]') returning id`,
  )
  return rows[0].id
}
