import { DriverError } from '@lodge/driver/driver.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import type { Lodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import {
  connected,
  jobEnd,
  type MachineWorld,
  machineWorld,
  makeVm,
} from '../../support/vm-world.ts'

let world: MachineWorld
let lodge: Lodge
let agent: RealAgent
let nodeId: string
let admin: Caller
let owner: Caller
beforeAll(async () => {
  world = await machineWorld()
  ;({ lodge, agent, admin, owner } = world)
  nodeId = world.node.id
})
afterAll(() => world?.[Symbol.asyncDispose]())

const parts = (id: string) => agent.driver.runtime.machines.get(id)!.parts
const vmOf = (id: string) => owner.must('GET /api/servers/{id}/vm', { params: { id } })
const take = (id: string, name = 'one') =>
  owner.call('POST /api/servers/{id}/vm/snapshots', { params: { id }, body: { name } })
const allocated = async () =>
  (await admin.must('GET /api/nodes/{id}', { params: { id: nodeId } })).allocated

describe('a snapshot', () => {
  test('restores the whole machine, and disappears when deleted', async () => {
    const { id } = await makeVm(lodge, owner.id)
    parts(id).set('system', 'first').set('firmware', 'first')
    const before = await allocated()
    const made = await take(id)
    expect(made.status).toBe(202)
    await jobEnd(owner, made.body.jobId, 'done')
    const snapshot = made.body.snapshotId
    expect((await vmOf(id)).snapshots).toMatchObject([
      { id: snapshot, name: 'one', state: 'ready', has: { firmware: true, tpm: false } },
    ])
    const same = await take(id, 'One')
    expect(same).toMatchObject({
      status: 409,
      body: { code: 'duplicate', detail: expect.stringContaining('choose another name') },
    })
    parts(id).set('system', 'second').set('firmware', 'second')
    const params = { id, snapshot }
    const silent = await owner.call('POST /api/servers/{id}/vm/snapshots/{snapshot}/restore', {
      params,
      body: {},
    })
    expect(silent).toMatchObject({ status: 400, body: { code: 'confirmation_required' } })
    const back = await owner.must('POST /api/servers/{id}/vm/snapshots/{snapshot}/restore', {
      params,
      body: { confirm: true },
    })
    await jobEnd(owner, back.jobId, 'done')
    expect([parts(id).get('system'), parts(id).get('firmware')]).toEqual(['first', 'first'])
    const gone = await owner.must('DELETE /api/servers/{id}/vm/snapshots/{snapshot}', { params })
    await jobEnd(owner, gone.jobId, 'done')
    expect((await vmOf(id)).snapshots).toEqual([])
    expect(await allocated()).toEqual(before)
    const again = await owner.call('DELETE /api/servers/{id}/vm/snapshots/{snapshot}', { params })
    expect(again).toMatchObject({ status: 404 })
  })

  test('has a unique name on its machine, which the database enforces in any race', async () => {
    const [one, other] = [await makeVm(lodge, owner.id), await makeVm(lodge, owner.id)]
    const insert = (serverId: string, name: string) =>
      lodge.database.pool.query(
        `insert into vm_snapshots (id, server_id, name, state, disk_mb, has_firmware, has_tpm)
         values (gen_random_uuid(), $1, $2, 'ready', 1, false, false)`,
        [serverId, name],
      )
    const raced = await Promise.allSettled([insert(one.id, 'Before'), insert(one.id, 'before')])
    expect(raced.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await insert(other.id, 'Before')
    const refused = await take(one.id, 'BEFORE')
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'duplicate', errors: [{ pointer: '/name' }] },
    })
    // Its operation is undone with it: the machine is not held.
    expect((await owner.must('GET /api/servers/{id}', { params: { id: one.id } })).holds).toEqual(
      [],
    )
  })

  test('is taken only of a stopped machine, which cannot start meanwhile', async () => {
    const { id } = await makeVm(lodge, owner.id, { start: true })
    expect(await take(id)).toMatchObject({
      status: 409,
      body: { detail: 'The machine is running: stop it first' },
    })
    const stop = await owner.must('POST /api/servers/{id}/actions', {
      params: { id },
      body: { action: 'stop' },
    })
    await jobEnd(owner, stop.jobId, 'done')
    agent.driver.knobs.copyDelayMs = 1500
    const made = await take(id)
    const status = await until(async () => {
      const server = await owner.must('GET /api/servers/{id}', { params: { id } })
      return server.status === 'snapshotting' && server.status
    })
    expect(status).toBe('snapshotting')
    const start = await owner.call('POST /api/servers/{id}/actions', {
      params: { id },
      body: { action: 'start' },
    })
    expect(start).toMatchObject({ status: 409, body: { code: 'hold_active' } })
    expect(await take(id, 'two')).toMatchObject({ status: 409 })
    agent.driver.knobs.copyDelayMs = 0
    await jobEnd(owner, made.body.jobId, 'done')
    expect((await owner.must('GET /api/servers/{id}', { params: { id } })).holds).toEqual([])
  })

  test('that fails leaves nothing: no copy, no hold, no allocation', async () => {
    const { id } = await makeVm(lodge, owner.id)
    const before = await allocated()
    agent.driver.knobs.copyError = new DriverError('disk_full', 'The disk of the node is full.')
    const made = await take(id)
    const job = await jobEnd(owner, made.body.jobId, 'failed')
    agent.driver.knobs.copyError = null
    expect(job.failure).toMatchObject({ code: 'disk_full' })
    const { items } = await owner.must('GET /api/notifications', { query: {} })
    expect(items.filter(({ link }) => link === `/servers/${id}/snapshots`)).toMatchObject([
      { type: 'vm.snapshot_failed', body: 'one: The disk of the node is full.' },
    ])
    expect((await vmOf(id)).snapshots).toEqual([])
    expect(await allocated()).toEqual(before)
    expect((await owner.must('GET /api/servers/{id}', { params: { id } })).holds).toEqual([])
  })

  test('is taken once even if the agent is killed halfway', async () => {
    const { id } = await makeVm(lodge, owner.id)
    agent.driver.knobs.copyDelayMs = 60_000
    const made = await take(id)
    await until(async () => (agent.driver.runtime.machines.get(id)?.copying ?? 0) > 0)
    await agent.close()
    agent.driver.knobs.copyDelayMs = 0
    await agent.connect()
    await connected(lodge, nodeId)
    await jobEnd(owner, made.body.jobId, 'done')
    expect(agent.driver.runtime.machines.get(id)?.snapshots.size).toBe(1)
  })

  test('counts among the backups of its owner, by number and by size', async () => {
    const bound = await lodge.customer()
    const { id } = await makeVm(lodge, bound.id)
    await lodge.database.pool.query('update users set quota = $2 where id = $1', [
      bound.id,
      { maxServerBackups: 1 },
    ])
    const snap = (name: string) =>
      bound.call('POST /api/servers/{id}/vm/snapshots', { params: { id }, body: { name } })
    const first = await snap('first')
    await jobEnd(bound, first.body.jobId, 'done')
    expect(await snap('second')).toMatchObject({ status: 409, body: { code: 'limit_exceeded' } })
  })

  test('is abandoned when its job is cancelled', async () => {
    const { id } = await makeVm(lodge, owner.id)
    agent.driver.knobs.copyDelayMs = 60_000
    const made = await take(id)
    await until(async () => (agent.driver.runtime.machines.get(id)?.copying ?? 0) > 0)
    await owner.must('POST /api/jobs/{id}/cancel', { params: { id: made.body.jobId } })
    agent.driver.knobs.copyDelayMs = 0
    await jobEnd(owner, made.body.jobId, 'cancelled')
    expect((await vmOf(id)).snapshots).toEqual([])
    expect((await owner.must('GET /api/servers/{id}', { params: { id } })).holds).toEqual([])
  })
})

test("a copy's space returns to the node with the machine", async () => {
  const before = await allocated()
  const { id } = await makeVm(lodge, owner.id)
  parts(id).set('system', 'x'.repeat(3 * 1_048_576))
  const made = await take(id)
  await jobEnd(owner, made.body.jobId, 'done')
  const gone = await admin.must('DELETE /api/servers/{id}', { params: { id } })
  await jobEnd(admin, gone.jobId, 'done')
  expect(await allocated()).toEqual(before)
})
