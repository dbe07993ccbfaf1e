import { DriverError } from '@lodge/driver/driver.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contextFor } from '../../../control-plane/src/context.ts'
import { createBackup } from '../../../control-plane/src/domains/backups/index.ts'
import { protectionTasks } from '../../../control-plane/src/domains/backups/protect.ts'
import type { Caller } from '../../support/caller.ts'
import { type RealAgent, startRealAgent } from '../../support/real-agent.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { connected, jobEnd } from '../../support/vm-world.ts'

let lodge: Lodge
let admin: Caller
let owner: Caller
let alpha: RealAgent
let beta: RealAgent
beforeAll(async () => {
  lodge = await startLodge()
  const start = async (name: string) => {
    const node = await lodge.joinedNode({ name })
    const agent = await startRealAgent(lodge, node)
    await connected(lodge, node.id)
    return agent
  }
  ;[alpha, beta] = [await start('alpha'), await start('beta')]
  admin = await lodge.admin()
  owner = await lodge.customer()
})
afterAll(async () => {
  for (const agent of [alpha, beta]) await agent?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const protect = (keep: number | null) =>
  admin.must('PUT /api/settings/backups', {
    body: {
      place: 'node',
      downloads: true,
      keepScheduled: 7,
      s3: null,
      storageNodeIds: [beta.nodeId],
      protection:
        keep === null
          ? null
          : { place: 'other-node', everyHours: 24, keep, nodeIds: [alpha.nodeId] },
    },
  })
const list = (id: string) =>
  owner.must('GET /api/servers/{id}/backups', { params: { id }, query: {} })
const loss = () => admin.must('GET /api/nodes/{id}/backups', { params: { id: alpha.nodeId } })
const age = (id: string, hours: number) =>
  lodge.database.pool.query(
    `update server_backups set created_at = created_at - $2 * interval '1 hour'
     where server_id = $1`,
    [id, hours],
  )

test('the host backs up every server off its node automatically, which counts towards no limit', async () => {
  const { id: templateId } = await lodge.template()
  const { serverId: id, jobId } = await admin.must('POST /api/servers', {
    body: { name: 'One', ownerId: owner.id, templateId, nodeId: alpha.nodeId, start: false },
  })
  await jobEnd(admin, jobId, 'done')
  await admin.must('PATCH /api/customers/{id}', {
    params: { id: owner.id },
    body: { quota: { maxBackups: 0 } },
  })
  expect((await list(id)).standing.safeAt).toBeNull()
  expect((await loss()).servers).toMatchObject({ total: 1, without: 1, oldestAt: null })
  expect((await loss()).protection).toBeNull()

  await protect(1)
  const made = async () => (await list(id)).items.filter(({ state }) => state === 'good')
  await until(async () => (await made()).length === 1)
  const [first] = await made()
  expect(first).toMatchObject({ byHost: true, place: 'other-node', keptOnNode: 'beta' })
  const { standing } = await list(id)
  expect(standing).toMatchObject({ safeAt: first?.createdAt, used: { backups: 0, storageMb: 0 } })
  expect(await loss()).toMatchObject({
    servers: { total: 1, without: 0, oldestAt: first?.createdAt, items: [{ id }] },
    byHost: { backups: 1 },
    protection: { everyHours: 24, keep: 1 },
    whyNot: null,
  })

  // The backup belongs to the host: the server's owner restores from it, but neither locks nor
  // deletes it.
  const params = { id, backupId: first?.id ?? '' }
  const refused = { status: 403, body: { code: 'permission_required' } }
  expect(await owner.call('DELETE /api/servers/{id}/backups/{backupId}', { params })).toMatchObject(
    refused,
  )
  expect(
    await owner.call('PATCH /api/servers/{id}/backups/{backupId}', {
      params,
      body: { locked: true },
    }),
  ).toMatchObject(refused)

  // A day later the next backup is due, and the older one is rotated out.
  await age(id, 30)
  await until(async () => {
    const [newest, ...more] = await made()
    return newest !== undefined && newest.id !== first?.id && more.length === 0
  })

  // A failed one is reported to the operators, not the owner, and is not retried immediately.
  alpha.driver.knobs.backupError = new DriverError('disk_full', 'There is no room left.')
  await age(id, 30)
  const told = async (who: Caller) =>
    (await who.must('GET /api/notifications', { query: {} })).items.map(({ type }) => type)
  await until(async () => (await told(admin)).includes('backup.host-failed'))
  expect(await told(owner)).not.toContain('backup.host-failed')
  expect(await told(owner)).not.toContain('backup.failed')
  expect((await list(id)).items.every(({ state }) => state !== 'failed')).toBe(true)

  // The last one before a deletion replaces the former only with one that is off the node too.
  alpha.driver.knobs.backupError = null
  const ctx = contextFor(lodge.controlPlane.services, { kind: 'system' } as const)
  const { jobId: lastJob, backupId } = await createBackup(
    ctx,
    { id, ownerId: owner.id },
    { isLast: true },
  )
  await jobEnd(admin, lastJob, 'done')
  expect((await made()).find((one) => one.id === backupId)).toMatchObject({
    ...{ byHost: true, place: 'other-node', keptOnNode: 'beta' },
  })
})

test('a suspended customer is protected too, and servers that cannot be backed up hold up no others', async () => {
  await protect(null)
  const { id: templateId } = await lodge.template()
  const [debtor, other] = [await lodge.customer(), await lodge.customer()]
  const makeServer = async ({ id: ownerId }: Caller) => {
    const body = { name: 'Two', ownerId, templateId, nodeId: alpha.nodeId, start: false }
    const { serverId, jobId } = await admin.must('POST /api/servers', { body })
    await jobEnd(admin, jobId, 'done')
    return serverId
  }
  // As many as are backed up at a time of each kind, and all of them before the last one.
  const leaving = [await makeServer(other), await makeServer(other)]
  const broken = [await makeServer(other), await makeServer(other)]
  const busy = [await makeServer(other), await makeServer(other)]
  const suspended = [await makeServer(debtor), await makeServer(debtor)]
  const last = await makeServer(other)
  await admin.must('POST /api/customers/{id}/suspend', {
    params: { id: debtor.id },
    body: { reasonCode: 'other' },
  })
  const { pool } = lodge.database
  await pool.query(
    `insert into server_holds (server_id, kind, cause)
     select unnest($1::uuid[]), 'deletion', 'owner'`,
    [leaving],
  )
  await pool.query('update servers set install_failed = true where id = any($1)', [broken])
  // Something works on their disks that the choice of servers does not know, so it is refused.
  await pool.query(
    `insert into jobs (id, kind, title, state, server_id, concurrency_group, input, steps)
     select gen_random_uuid(), 'backup.verify', '', 'running', unnest($1::uuid[]), 'disks', '{}', '[]'`,
    [busy],
  )
  const backedUp = async () => {
    const { rows } = await pool.query<{ id: string }>(
      `select server_id as id from server_backups
       where by_host and state = 'good' and server_id = any($1)`,
      [[...leaving, ...broken, ...busy, ...suspended, last]],
    )
    return new Set(rows.map(({ id }) => id))
  }
  await protect(1)
  const round = protectionTasks.find(({ name }) => name === 'backups.protect')
  await until(async () => {
    await round?.run(lodge.controlPlane.services)
    return (await backedUp()).has(last)
  })
  await until(async () => (await backedUp()).size === 3)
  expect(await backedUp()).toEqual(new Set([...suspended, last]))
})
