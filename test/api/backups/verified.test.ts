import { DriverError } from '@lodge/driver/driver.ts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { contextFor } from '../../../control-plane/src/context.ts'
import { createBackup } from '../../../control-plane/src/domains/backups/index.ts'
import { dueServers } from '../../../control-plane/src/domains/backups/protection-store.ts'
import { whyNoReader } from '../../../control-plane/src/domains/backups/reader.ts'
import { dueToVerify, readersOf } from '../../../control-plane/src/domains/backups/verify-store.ts'
import { verifyDue } from '../../../control-plane/src/domains/backups/verify-task.ts'
import type { Caller } from '../../support/caller.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import type { Lodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { jobEnd } from '../../support/vm-world.ts'
import { type BackupWorld, backupWorld } from './backup-world.ts'

let world: BackupWorld
let lodge: Lodge
let agent: RealAgent
let admin: Caller
let owner: Caller
beforeAll(async () => {
  world = await backupWorld()
  ;({ lodge, agent, admin } = world)
})
afterAll(() => world?.[Symbol.asyncDispose]())
beforeEach(async () => {
  owner = await lodge.customer()
  Object.assign(agent.driver.knobs, { backupDelayMs: 0, backupError: null })
})

const contents = (id: string) => world.contents(id)
const write = (id: string, text: string) => world.write(id, text)
const makeServer = () => world.makeServer(owner)
const backUp = (id: string) => world.backUp(owner, id)
const list = (id: string) =>
  owner.must('GET /api/servers/{id}/backups', { params: { id }, query: {} })
const find = async (id: string, backupId: string) =>
  (await list(id)).items.find((one) => one.id === backupId)
const verify = (id: string, backupId: string, by = owner) =>
  by.call('POST /api/servers/{id}/backups/{backupId}/verify', { params: { id, backupId } })
const verified = async (id: string, backupId: string, state: 'done' | 'failed' = 'done') =>
  jobEnd(owner, (await verify(id, backupId)).body.jobId, state)
/** The node reads. */
const begun = (jobId: string) =>
  until(async () => {
    const job = await owner.must('GET /api/jobs/{id}', { params: { id: jobId } })
    return job.percent === 0
  })
const restore = (id: string, backupId: string, backUpFirst = false) =>
  owner.call('POST /api/servers/{id}/actions', {
    params: { id },
    body: { action: 'restore', backupId, confirm: true, backUpFirst },
  })
const clone = (id: string, backupId: string) =>
  admin.call('POST /api/servers/{id}/clone', {
    params: { id },
    body: { name: 'Two', backupId, nodeId: agent.nodeId },
  })
const restoreFails = async (id: string, backupId: string) =>
  (await jobEnd(owner, (await restore(id, backupId)).body.jobId, 'failed')).failure
const damage = (backupId: string) => world.damage(backupId)
const told = async (by: Caller) => {
  const { items } = await by.must('GET /api/notifications', { query: { limit: 100 } })
  return items.map(({ type }) => type)
}
/** Titles of notifications of verifications. */
const toldOfJobs = async (by: Caller) => {
  const { items } = await by.must('GET /api/notifications', { query: { limit: 100 } })
  return items.map(({ title }) => title).filter((title) => title.includes('Verify'))
}
const refused = (status: number, code: string, words = '') => ({
  status,
  body: { code, detail: expect.stringContaining(words) },
})
const openJobs = async (id: string) => {
  const { items } = await admin.must('GET /api/jobs', { query: { serverId: id } })
  return items.filter(({ endedAt }) => endedAt === null).length
}
/** As if a backup had been made, and read last, so long ago. */
const age = (backupId: string, days: number) =>
  lodge.database.pool.query(
    `update server_backups set created_at = now() - make_interval(days => $2),
       verified_at = case when verified_at is not null then now() - make_interval(days => $2) end
     where id = $1`,
    [backupId, days],
  )
const verifyEvery = async (interval: 'off' | 'weekly' | 'monthly') => {
  const { s3: _, ...settings } = await admin.must('GET /api/settings/backups')
  const body = { ...settings, s3: null, verify: interval }
  await admin.must('PUT /api/settings/backups', { body })
}

test('verifying a backup reads it back and says when, and only whoever asked hears of it', async () => {
  const id = await makeServer()
  const backupId = await backUp(id)
  expect(await find(id, backupId)).toMatchObject({ verifiedAt: null, damaged: null })
  const { body } = await verify(id, backupId, admin)
  const job = await jobEnd(admin, body.jobId, 'done')
  expect([job.kind, job.title, job.steps.map(({ name }) => name)]).toEqual([
    'backup.verify',
    expect.stringMatching(/^Verify .+ of One$/),
    ['Verify the backup'],
  ])
  const { verifiedAt, damaged } = (await find(id, backupId)) ?? {}
  expect([Date.parse(verifiedAt ?? '') > Date.now() - 60_000, damaged]).toEqual([true, null])
  expect(contents(id)).toBe('first')
  await until(async () => (await toldOfJobs(admin)).length === 1)
  expect(await toldOfJobs(owner)).toEqual([])
})

test('a damaged backup is told of once, never restored or cloned, and whole again once repaired', async () => {
  const id = await makeServer()
  const backupId = await backUp(id)
  await verified(id, backupId)
  const repair = damage(backupId)
  write(id, 'newer')
  const { failure } = await verified(id, backupId, 'failed')
  expect(failure).toEqual({
    code: 'copy_damaged',
    detail: 'The backup or its repository is damaged.',
  })
  const found = await find(id, backupId)
  expect(found).toMatchObject({ state: 'good', damaged: { detail: failure?.detail } })
  expect(found?.verifiedAt).not.toBeNull()
  await until(async () => (await told(admin)).includes('backup.damaged-on-node'))
  // The owner began it and hears of the job.
  await until(async () => (await told(owner)).includes('job.failed'))
  expect(await told(owner)).not.toContain('backup.damaged')
  const { body } = await verify(id, backupId, admin)
  await jobEnd(admin, body.jobId, 'failed')
  expect(await told(owner)).not.toContain('backup.damaged')

  const why = refused(409, 'invalid_state', 'The backup is damaged')
  const params = { id, backupId }
  expect(await restore(id, backupId)).toMatchObject(why)
  expect(await restore(id, backupId, true)).toMatchObject(why)
  const other = await makeServer()
  expect(
    await owner.call('POST /api/servers/{id}/backups/{backupId}/restore', {
      ...{ params, body: { serverId: other, confirm: true } },
    }),
  ).toMatchObject(why)
  expect(await clone(id, backupId)).toMatchObject(why)
  expect(contents(id)).toBe('newer')

  repair()
  await verified(id, backupId)
  expect(await find(id, backupId)).toMatchObject({ damaged: null })
  await jobEnd(owner, (await restore(id, backupId)).body.jobId, 'done')
  expect(contents(id)).toBe('first')
})

test('everybody else with the server and the host hear of damage that somebody found', async () => {
  const id = await makeServer()
  const backupId = await backUp(id)
  damage(backupId)
  const { body } = await verify(id, backupId, admin)
  await jobEnd(admin, body.jobId, 'failed')
  await until(async () => (await told(owner)).includes('backup.damaged'))
  expect(await told(owner)).not.toContain('job.failed')
  expect(await told(admin)).not.toContain('backup.damaged')
})

test('a fault that may pass counts as damage only when it comes again on another day', async () => {
  const id = await makeServer()
  const backupId = await backUp(id)
  const detail = 'restic failed to read or to write the backup: see the log of the node.'
  agent.driver.knobs.backupError = new DriverError('copy_unreadable', detail)
  const fails = async () => {
    const { failure } = await verified(id, backupId, 'failed')
    expect(failure?.code).toBe('copy_unreadable')
    return (await find(id, backupId))?.damaged
  }
  const hoursPass = () =>
    lodge.database.pool.query(
      `update jobs set ended_at = ended_at - interval '7 hours' where server_id = $1`,
      [id],
    )
  expect(await fails()).toBeNull()
  expect(await fails()).toBeNull()
  await hoursPass()
  // A restore also writes: the fault may be of the disk that it writes to.
  expect((await restoreFails(id, backupId))?.code).toBe('copy_unreadable')
  expect((await find(id, backupId))?.damaged).toBeNull()
  expect(await fails()).toMatchObject({ detail })
  agent.driver.knobs.backupError = null
  await verified(id, backupId)
  // What was before counts no more.
  agent.driver.knobs.backupError = new DriverError('copy_unreadable', detail)
  expect(await fails()).toBeNull()
})

test('the node that cleans a repository reads it, and another one takes no pack it moved for damage', async () => {
  const id = await makeServer()
  const backupId = await backUp(id)
  const other = await lodge.joinedNode()
  const change = (to: string, ...values: unknown[]) =>
    lodge.database.pool.query(
      `update backup_repositories set ${to}
       where id = (select repository_id from server_backups where id = $1)`,
      [backupId, ...values],
    )
  const { db } = lodge.controlPlane.services
  const elsewhere = db.transaction(async (tx) => {
    await tx.execute(sql`update servers set node_id = ${other.id}::uuid where id = ${id}::uuid`)
    expect((await readersOf(tx, [backupId])).get(backupId)?.id).toBe(agent.nodeId)
    // So does the list: the server's own is not connected.
    expect(await whyNoReader(tx, [backupId])).toBeNull()
    tx.rollback()
  })
  await expect(elsewhere).rejects.toThrow('Rollback')
  const kept = `place = 'other-node', storage_node_id = $2, node_id = $3`
  await change(`${kept}, pruned_at = now() - interval '1 hour'`, agent.nodeId, other.id)
  damage(backupId)
  const { failure } = await verified(id, backupId, 'failed')
  expect(failure).toMatchObject({ detail: expect.stringContaining('verify the backup later') })
  expect((await restoreFails(id, backupId))?.code).toBe('runtime_unavailable')
  expect(await find(id, backupId)).toMatchObject({ damaged: null })
  await change(`pruned_at = now() - interval '1 day'`)
  await verified(id, backupId, 'failed')
  expect((await find(id, backupId))?.damaged).not.toBeNull()
})

test('a restore that finds damage marks the backup, as verifying it does', async () => {
  const id = await makeServer()
  const backupId = await backUp(id)
  const repair = damage(backupId)
  const failure = await restoreFails(id, backupId)
  expect(failure?.code).toBe('copy_damaged')
  expect(await find(id, backupId)).toMatchObject({ damaged: { detail: failure?.detail } })
  expect(await restore(id, backupId)).toMatchObject(refused(409, 'invalid_state', 'is damaged'))
  repair()
  await verified(id, backupId)
  agent.driver.knobs.backupError = new DriverError('disk_full', 'There is no room left.')
  await restoreFails(id, backupId)
  expect(await find(id, backupId)).toMatchObject({ damaged: null })
  agent.driver.knobs.backupError = null
  // A clone reads it into another server, and it is a backup of this one all the same.
  damage(backupId)
  await jobEnd(admin, (await clone(id, backupId)).body.jobId, 'failed')
  expect((await find(id, backupId))?.damaged).not.toBeNull()
  await until(async () => (await told(owner)).includes('backup.damaged'))
})

test('a restore verifies what it restores, and what it backs up first', async () => {
  const id = await makeServer()
  const backupId = await backUp(id)
  await jobEnd(owner, (await restore(id, backupId, true)).body.jobId, 'done')
  const { items } = await list(id)
  expect(items.map(({ verifiedAt }) => verifiedAt === null)).toEqual([false, false])
})

test('it runs beside other work on the server, one at a time, and is cancelled without a trace', async () => {
  const id = await makeServer()
  const backupId = await backUp(id)
  agent.driver.knobs.backupDelayMs = 60_000
  const { body } = await verify(id, backupId)
  expect(await verify(id, backupId)).toMatchObject(refused(409, 'job_in_progress'))
  await begun(body.jobId)
  const { db } = lodge.controlPlane.services
  const hosts = await dueServers(db, { everyHours: 24, nodeIds: [agent.nodeId], perNode: 500 })
  expect(hosts.map((one) => one.id)).toContain(id)
  agent.driver.knobs.backupDelayMs = 0
  await backUp(id)
  await owner.must('POST /api/jobs/{id}/cancel', { params: { id: body.jobId } })
  await jobEnd(owner, body.jobId, 'cancelled')
  expect(await find(id, backupId)).toMatchObject({ verifiedAt: null, damaged: null })
})

test('a backup that is deleted meanwhile counts as gone, not as damaged', async () => {
  const id = await makeServer()
  const backupId = await backUp(id)
  agent.driver.knobs.backupDelayMs = 2_000
  const { body } = await verify(id, backupId)
  await begun(body.jobId)
  agent.driver.knobs.backupDelayMs = 0
  const gone = await owner.must('DELETE /api/servers/{id}/backups/{backupId}', {
    params: { id, backupId },
  })
  await jobEnd(owner, gone.jobId, 'done')
  const { failure } = await jobEnd(owner, body.jobId, 'failed')
  expect(failure).toMatchObject({ code: 'not_found' })
  expect(await told(owner)).not.toContain('backup.damaged')
})

test('it is refused for an incomplete backup, an old agent, and people who may not back up', async () => {
  const id = await makeServer()
  const backupId = await backUp(id)
  const { pool } = lodge.database
  const able = (change: string) =>
    pool.query(
      `update nodes set capabilities = ${change}(capabilities, 'agent.backup-verify') where id = $1`,
      [agent.nodeId],
    )
  await able('array_remove')
  const old = await verify(id, backupId)
  const { standing } = await list(id)
  await able('array_append')
  expect(old).toMatchObject(refused(409, 'unsupported_on_node', 'too old to verify backups'))
  expect(standing.whyNot.verify).toContain('too old to verify backups')
  expect((await list(id)).standing.whyNot.verify).toBeNull()
  await pool.query(`update server_backups set state = 'failed' where id = $1`, [backupId])
  expect(await verify(id, backupId)).toMatchObject(refused(409, 'backup_incomplete'))
  const friend = await lodge.customer()
  await pool.query(
    'insert into server_collaborators (server_id, user_id, permissions) values ($1, $2, $3)',
    [id, friend.id, ['backups.view', 'backups.restore']],
  )
  expect(await verify(id, backupId, friend)).toMatchObject(refused(403, 'permission_required'))
})

test('the panel verifies backups by itself as often as the host says, on nodes that are not busy', async () => {
  const { services } = lodge.controlPlane
  await verifyEvery('off')
  const id = await makeServer()
  const [older, newer] = [await backUp(id), await backUp(id)]
  await age(older, 20)
  await age(newer, 10)
  expect(await verifyDue(services)).toBe(0)
  await verifyEvery('monthly')
  expect(await verifyDue(services)).toBe(0)
  const busy = (cpuPercent: number) =>
    lodge.database.pool.query('update nodes set usage = $2 where id = $1', [
      agent.nodeId,
      // No sample of the agent replaces it.
      { at: '2999-01-01T00:00:00Z', cpuPercent },
    ])
  await busy(90)
  await verifyEvery('weekly')
  expect(await verifyDue(services)).toBe(0)
  await busy(10)
  const given = { days: 7, atMost: 8, busyPercent: 70, perDay: 500 }
  const due = async (change: Partial<typeof given> = {}) =>
    (await dueToVerify(services.db, { ...given, ...change })).map((one) => one.backupId)
  expect(await due()).toEqual([older])
  const needsPrune = (needs: boolean) =>
    lodge.database.pool.query(
      `update backup_repositories set needs_prune = $2
       where id = (select repository_id from server_backups where id = $1)`,
      [older, needs],
    )
  await needsPrune(true)
  expect(await due()).toEqual([])
  await needsPrune(false)
  await verifyDue(services)
  await until(async () => (await find(id, older))?.verifiedAt !== null)
  expect(await find(id, newer)).toMatchObject({ verifiedAt: null })
  await until(async () => (await openJobs(id)) === 0)
  // A day's share of what the node wrote.
  expect(await due({ perDay: 1, days: 9 })).toEqual([])
  const repair = damage(newer)
  await until(async () => {
    await verifyDue(services)
    return (await find(id, newer))?.damaged ?? undefined
  })
  await until(async () => (await told(owner)).includes('backup.damaged'))
  await until(async () => (await openJobs(id)) === 0)
  // Neither is due: one was just read, the other is known to be damaged.
  expect(await verifyDue(services)).toBe(0)
  expect(await toldOfJobs(owner)).toEqual([])
  repair()
  await lodge.database.pool.query(
    `with later as (update server_backups set damaged_at = damaged_at - interval '2 days'
       where id = $1 returning server_id)
     update jobs set created_at = created_at - interval '2 days'
     where server_id in (select server_id from later)`,
    [newer],
  )
  await verifyDue(services)
  await until(async () => (await find(id, newer))?.damaged === null)
  await lodge.database.pool.query('update nodes set usage = null where id = $1', [agent.nodeId])
})

test('a damaged backup replaces no intact one when the oldest are deleted', async () => {
  const { s3: _, ...settings } = await admin.must('GET /api/settings/backups')
  const body = { ...settings, s3: null, verify: 'off', keepScheduled: 2 } as const
  await admin.must('PUT /api/settings/backups', { body })
  const id = await makeServer()
  const ctx = contextFor(lodge.controlPlane.services, { kind: 'system' } as const)
  const scheduled = async () => {
    const made = await createBackup(ctx, { id, ownerId: owner.id }, { scheduled: true })
    await jobEnd(admin, made.jobId, 'done')
    return made.backupId
  }
  const ids = async () => (await list(id)).items.map((one) => one.id)
  const [first, second] = [await scheduled(), await scheduled()]
  damage(second)
  await verified(id, second, 'failed')
  const third = await scheduled()
  expect(await ids()).toEqual([third, second, first])
  const fourth = await scheduled()
  await until(async () => (await find(id, first)) === undefined)
  await until(async () => (await find(id, second)) === undefined)
  expect(await ids()).toEqual([fourth, third])
  await admin.must('PUT /api/settings/backups', { body: { ...settings, s3: null } })
})
