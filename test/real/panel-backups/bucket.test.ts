import { mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { emptyDatabase } from '../../support/database.ts'
import { runLodge } from '../../support/run-lodge.ts'
import { secured } from '../../support/secured.ts'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'
import { noSwift, SWIFT_KEY, type Swift, startSwift } from '../../support/swift.ts'
import { jobEnd } from '../../support/vm-world.ts'

// The panel's backups in a bucket of OpenStack Swift, which speaks S3.

const BUCKET = 'panel'
let folder: string
let swift: Swift
let front: Awaited<ReturnType<typeof secured>>
let lodge: Lodge
let admin: Caller
let place: string

describe.skipIf(noSwift)('backups of the panel in a bucket', { tags: 'long' }, () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-panel-bucket-'))
    swift = await startSwift(BUCKET)
    front = await secured(swift.endpoint, folder)
    place = `s3:${front.endpoint}/${BUCKET}/of/panel`
    lodge = await startLodge({ environment: { LODGE_EGRESS_CA: front.caFile } })
    admin = await lodge.admin()
    await use({})
  })
  afterAll(async () => {
    await lodge[Symbol.asyncDispose]()
    await front[Symbol.asyncDispose]()
    await swift[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  const use = (other: { endpoint?: string; secretAccessKey?: string }) =>
    admin.must('PUT /api/settings/panel-backups', {
      body: {
        ...{ schedule: null, place: 's3', folder: null, keep: 2, media: false },
        s3: {
          ...{ endpoint: front.endpoint, bucket: BUCKET, prefix: 'of/panel', region: '' },
          ...{ accessKeyId: SWIFT_KEY.keyId, secretAccessKey: SWIFT_KEY.secret },
          ...other,
        },
      },
    })

  async function backUp(end: 'done' | 'failed') {
    const { jobId } = await admin.must('POST /api/panel-backups')
    return await jobEnd(admin, jobId, end)
  }

  const variables = async (given: Record<string, string> = {}) => ({
    ...{ AWS_ACCESS_KEY_ID: SWIFT_KEY.keyId, AWS_SECRET_ACCESS_KEY: SWIFT_KEY.secret },
    LODGE_EGRESS_CA: front.caFile,
    LODGE_RECOVERY_KEY: (await admin.must('POST /api/panel-backups/recovery-key')).recoveryKey,
    ...given,
  })

  test('the bucket keeps the configured number of backups, and an empty machine becomes the panel', async () => {
    for (let made = 0; made < 3; made++) await backUp('done')
    const { items } = await admin.must('GET /api/panel-backups')
    expect(items.map(({ state, address }) => [state, address])).toEqual(
      [1, 2].map(() => ['good', place.slice('s3:'.length)]),
    )
    const database = await emptyDatabase()
    const dataFolder = await mkdtemp(path.join(folder, 'restored-'))
    const environment = await variables({ LODGE_DATA: dataFolder, DATABASE_URL: database.url })
    const listed = await runLodge(['restore', '--from', place, '--list'], environment)
    expect(listed.said.trim().split('\n')).toHaveLength(2)
    const denied = { ...environment, AWS_SECRET_ACCESS_KEY: 'another secret' }
    const refused = await runLodge(['restore', '--from', place], denied)
    expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('refuses access') })
    expect(await readdir(dataFolder)).not.toContain('secrets')
    const done = await runLodge(['restore', '--from', place], environment)
    expect(done).toEqual({ code: 0, said: expect.stringContaining('The panel is restored') })
    const restored = await startLodge({
      database,
      environment: { LODGE_DATA: dataFolder, LODGE_EGRESS_CA: front.caFile },
    })
    await restored.anonymous().must('POST /api/auth/login', {
      body: { email: 'root@example.com', password: PASSWORD },
    })
    await restored[Symbol.asyncDispose]()
  })

  test('wrong keys and an unreachable storage fail with a hint', async () => {
    const faults = [
      [{ secretAccessKey: 'another secret' }, 'refuses access'],
      // Nothing listens on this port.
      [{ endpoint: 'https://127.0.0.1:9' }, 'does not answer'],
    ] as const
    for (const [other, words] of faults) {
      await use(other)
      await backUp('failed')
      const { items } = await admin.must('GET /api/panel-backups')
      expect(items[0]).toMatchObject({
        state: 'failed',
        failure: { detail: expect.stringContaining(words) },
      })
    }
    const away = await runLodge(
      ['restore', '--from', `s3:https://127.0.0.1:9/${BUCKET}`, '--list'],
      await variables({ LODGE_DATA: lodge.dataFolder }),
    )
    expect(away).toMatchObject({ code: 1, said: expect.stringContaining('does not answer') })
    await use({})
    await backUp('done')
  })
})
