import { randomUUID } from 'node:crypto'
import { DriverError } from '@lodge/driver/driver.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import { startSharingNodes } from '../../support/sharing-nodes.ts'
import type { Lodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { connected, jobEnd } from '../../support/vm-world.ts'

const start = () => startSharingNodes({ name: 'alpha' }, { name: 'beta' }, { name: 'gamma' })
let nodes: Awaited<ReturnType<typeof start>>
let lodge: Lodge
let admin: Caller
let owner: Caller
let alpha: RealAgent
/** The node that cannot delete anything. */
let beta: RealAgent
let gamma: RealAgent
const READ_ONLY = new DriverError('disk_full', 'The disk is mounted read-only.')
beforeAll(async () => {
  nodes = await start()
  ;({ lodge, admin, owner } = nodes)
  ;[alpha, beta, gamma] = nodes.agents
})
beforeEach(async () => {
  beta.driver.knobs.removeError = READ_ONLY
  await beta.connect()
  await connected(lodge, beta.nodeId)
})
afterAll(() => nodes?.[Symbol.asyncDispose]())

const makeServer = (on: RealAgent) => nodes.makeServer(on, {}, () => 'files')
const move = (id: string, to: RealAgent, caller = admin) =>
  caller.call('POST /api/servers/{id}/migrate', { params: { id }, body: { nodeId: to.nodeId } })
async function moved(id: string, to: RealAgent): Promise<void> {
  // The former copy is deleted a moment later.
  const { body } = await until(async () => {
    const given = await move(id, to)
    return given.status === 202 && given
  })
  await jobEnd(admin, body.jobId, 'done')
}
const copyOf = async (id: string) =>
  (await admin.must('GET /api/failover/status')).copies.find(({ serverId }) => serverId === id)
const failedCopy = (id: string) =>
  until(async () => {
    const copy = await copyOf(id)
    return copy?.failed ? copy : undefined
  })
/** Inserts former copies that moves left on a node, in this order. */
const leave = (on: RealAgent, ids: readonly string[], name = 'Left') =>
  lodge.database.pool.query(
    `insert into superseded_copies (server_id, node_id, server_name, placement_generation, partial)
     select id::uuid, $1, $3, 9, true from unnest($2::text[]) as id`,
    [on.nodeId, ids, name],
  )
const dueNow = (id: string) =>
  lodge.database.pool.query('update superseded_copies set try_at = now() where server_id = $1', [
    id,
  ])
const triesOf = async (ids: readonly string[]): Promise<number[]> => {
  const { rows } = await lodge.database.pool.query<{ tries: number }>(
    'select tries from superseded_copies where server_id = any($1::uuid[])',
    [ids],
  )
  return rows.map(({ tries }) => tries)
}

test('a former copy that cannot be deleted blocks moves of its server to that node only, with the reason', async () => {
  const id = await makeServer(beta)
  await moved(id, alpha)
  const copy = await failedCopy(id)
  expect(copy).toMatchObject({
    nodeName: 'beta',
    partial: true,
    failed: { detail: 'The disk is mounted read-only' },
  })
  const why =
    'beta cannot delete what an earlier move left there (The disk is mounted read-only): choose another node, or mend that on beta, which tries again by itself'
  expect(await move(id, beta)).toMatchObject({
    status: 409,
    body: { code: 'part_left_behind', detail: why },
  })
  // A customer does not see disk errors of a node.
  expect(await move(id, beta, owner)).toMatchObject({
    status: 409,
    body: {
      code: 'part_left_behind',
      detail:
        'beta cannot delete what an earlier move left there: choose another node, or ask the host to look at the page Failover',
    },
  })
  const targets = await admin.must('GET /api/servers/{id}/migration-targets', { params: { id } })
  expect(targets.items.map(({ nodeName, why }) => [nodeName, why])).toEqual([
    ['beta', why],
    ['gamma', null],
  ])
  await moved(id, gamma)

  beta.driver.knobs.removeError = null
  await dueNow(id)
  await until(async () => (await copyOf(id)) === undefined)
  expect(beta.driver.runtime.folders.get(beta.driver.dataFolder(id))).toBeUndefined()
  await moved(id, beta)
  expect(beta.driver.runtime.folders.get(beta.driver.dataFolder(id))).toBe('files')
})

test('sixty copies that cannot be deleted are retried with growing delays, and delay no others', async () => {
  const poisoned = Array.from({ length: 60 }, () => randomUUID())
  const good = randomUUID()
  await leave(beta, poisoned)
  await until(async () => (await triesOf(poisoned)).every((tries) => tries >= 2))
  await leave(gamma, [good])
  await until(async () => (await copyOf(good)) === undefined)
  const { rows } = await lodge.database.pool.query<{ tries: number; seconds: number }>(
    `select tries, extract(epoch from try_at - tried_at)::float8 as seconds
     from superseded_copies where server_id = any($1::uuid[]) and failure is not null`,
    [poisoned],
  )
  expect(rows).toHaveLength(60)
  for (const { tries, seconds } of rows)
    expect(seconds).toBeGreaterThanOrEqual(3 * 2 ** (tries - 1))
})

test('operators are notified once of a copy that is not deleted, and a node that connects retries immediately', async () => {
  const id = randomUUID()
  await leave(beta, [id], `Left ${id}`)
  const told = async () =>
    (await admin.must('GET /api/notifications')).items.filter(
      ({ type, title }) => type === 'failover.copy_stuck' && title.includes(id),
    )
  await lodge.database.pool.query('update superseded_copies set tries = 4 where server_id = $1', [
    id,
  ])
  await until(async () => {
    await dueNow(id)
    return ((await triesOf([id]))[0] ?? 0) >= 8
  })
  const [notice, ...others] = await until(async () => {
    const found = await told()
    return found.length > 0 && found
  })
  expect(notice?.title).toBe(`beta cannot delete what it has of Left ${id}`)
  expect(others).toEqual([])
  await lodge.database.pool.query(
    `update superseded_copies set try_at = now() + interval '1 hour' where server_id = $1`,
    [id],
  )
  await beta.close()
  beta.driver.knobs.removeError = null
  await beta.connect()
  await until(async () => (await copyOf(id)) === undefined)
})
