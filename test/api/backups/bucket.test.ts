import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRepository } from '../../../control-plane/src/domains/backups/repositories.ts'
import type { Caller } from '../../support/caller.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import type { Lodge } from '../../support/stack.ts'
import { jobEnd } from '../../support/vm-world.ts'
import { type BackupWorld, backupWorld } from './backup-world.ts'

let world: BackupWorld
let lodge: Lodge
let agent: RealAgent
let admin: Caller
beforeAll(async () => {
  world = await backupWorld()
  ;({ lodge, agent, admin } = world)
})
afterAll(() => world?.[Symbol.asyncDispose]())

test('a bucket has an address without a path, and a corrected region applies to earlier backups too', async () => {
  const settings = await admin.must('GET /api/settings/backups')
  const save = (s3: { endpoint?: string; region?: string }) =>
    admin.call('PUT /api/settings/backups', {
      body: {
        ...settings,
        place: 's3',
        s3: {
          endpoint: 'https://s3.example.com/',
          bucket: 'backups',
          prefix: '',
          region: 'wrong',
          accessKeyId: 'key',
          secretAccessKey: 'secret',
          ...s3,
        },
      },
    })
  for (const endpoint of [
    'https://s3.example.com/backups',
    'https://me:secret@s3.example.com',
    'ftp://s3.example.com',
    's3.example.com',
  ])
    expect((await save({ endpoint })).status, endpoint).toBe(400)
  expect((await save({})).body.s3?.endpoint).toBe('https://s3.example.com')
  const owner = await lodge.customer()
  const { serverId, jobId } = await admin.must('POST /api/servers', {
    body: {
      ...{ name: 'One', ownerId: owner.id, nodeId: agent.nodeId, start: false },
      templateId: (await lodge.template()).id,
    },
  })
  await jobEnd(admin, jobId, 'done')
  const made = await owner.must('POST /api/servers/{id}/backups', {
    params: { id: serverId },
    body: {},
  })
  await jobEnd(owner, made.jobId, 'done')
  await save({ region: 'right' })
  const { database, controlPlane } = lodge
  const { rows } = await database.pool.query<{ id: string }>(
    'select repository_id as id from server_backups where server_id = $1',
    [serverId],
  )
  const by = { nodeId: agent.nodeId, access: 'read' } as const
  const { location } = await openRepository(controlPlane.services, rows[0]?.id ?? '', by)
  expect(location).toMatchObject({ region: 'right', secretAccessKey: 'secret' })
  await admin.must('PUT /api/settings/backups', { body: { ...settings, s3: null } })
})
