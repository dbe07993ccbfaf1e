import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { quickFolder } from '../../support/quick-folder.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { jobEnd, LINUX, natNetwork } from '../../support/vm-world.ts'
import { nodeOn } from '../failover/node-on.ts'
import { Gates } from './gates.ts'

let lodge: Lodge
let admin: Caller
let storage: string
let storageId: string
let near: RealAgent
let gates: Gates
beforeAll(async () => {
  storage = await mkdtemp(path.join(quickFolder(), 'lodge-storage-'))
  await mkdir(path.join(storage, 'lodge'))
  lodge = await startLodge()
  admin = await lodge.admin()
  await natNetwork(lodge)
  near = await nodeOn(lodge, { name: 'near', storage, folders: new Map() })
  const { storages } = await admin.must('GET /api/nodes/{id}', { params: { id: near.nodeId } })
  storageId = storages.find((one) => one.name === 'fast')?.id ?? ''
  gates = new Gates('server.storage')
})
afterAll(async () => {
  gates?.restore()
  await near?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
  await rm(storage, { recursive: true, force: true })
})

/** A stopped machine that has left the disk for the storage, with a snapshot from before and one since. */
async function machineOnStorage() {
  const { id: ownerId } = await lodge.customer()
  const vm = { vcpus: 1, source: { kind: 'empty' } } as const
  const made = await admin.must('POST /api/servers', {
    body: {
      ...{ name: 'one', ownerId, templateId: LINUX, nodeId: near.nodeId, storageId: null },
      ...{ vm, memoryMb: 512, diskMb: 1024, start: false },
    },
  })
  await jobEnd(admin, made.jobId, 'done')
  const params = { id: made.serverId }
  const snapshot = async (name: string) => {
    const body = { name }
    const { jobId, snapshotId } = await admin.must('POST /api/servers/{id}/vm/snapshots', {
      params,
      body,
    })
    await jobEnd(admin, jobId, 'done')
    return { ...params, snapshot: snapshotId }
  }
  const keep = `update storage_copies set kept_until = now() + interval '1 day' where server_id = $1`
  gates.before(made.serverId, 'Prove the new storage', async () => {
    await lodge.database.pool.query(keep, [made.serverId])
  })
  const before = await snapshot('before')
  const body = { nodeId: near.nodeId, storageId }
  const moved = await admin.must('POST /api/servers/{id}/migrate', { params, body })
  await jobEnd(admin, moved.jobId, 'done')
  const since = await snapshot('since')
  const take = async (to: string | null) => {
    const body = { storageId: to, confirm: true }
    const { jobId } = await admin.must('POST /api/servers/{id}/take-copy', { params, body })
    await jobEnd(admin, jobId, 'done')
  }
  const states = async () => {
    const { snapshots } = await admin.must('GET /api/servers/{id}/vm', { params })
    return snapshots.map(({ name, state }) => `${name} ${state}`)
  }
  return { params, before, since, take, states }
}

const restore = 'POST /api/servers/{id}/vm/snapshots/{snapshot}/restore'

test('snapshots go with the copy of the files that they were made of, and come back with it', async () => {
  const { before, since, take, states } = await machineOnStorage()
  await take(null)
  expect(await states()).toEqual(['before ready', 'since away'])
  const body = { confirm: true }
  for (const answer of [
    await admin.call(restore, { params: since, body }),
    await admin.call('DELETE /api/servers/{id}/vm/snapshots/{snapshot}', { params: since }),
  ])
    expect(answer).toMatchObject({
      ...{ status: 409, body: { detail: expect.stringMatching('which the host keeps') } },
    })
  const { jobId } = await admin.must(restore, { params: before, body })
  await jobEnd(admin, jobId, 'done')
  await take(storageId)
  expect(await states()).toEqual(['before ready', 'since ready'])
  const again = await admin.must(restore, { params: since, body })
  await jobEnd(admin, again.jobId, 'done')
})

test('snapshots of a copy that is deleted, or forgotten, are gone with the space that they took', async () => {
  const { params, take, states } = await machineOnStorage()
  const space = async () => {
    const query = 'select copies_disk_mb as mb from servers where id = $1'
    const { rows } = await lodge.database.pool.query<{ mb: number }>(query, [params.id])
    return rows[0]?.mb ?? 0
  }
  const ofTwo = await space()
  await take(null)
  expect(await space()).toBe(ofTwo)
  const past = 'update storage_copies set kept_until = now() where server_id = $1'
  await lodge.database.pool.query(past, [params.id])
  await until(async () => (await states()).length === 1)
  expect(await states()).toEqual(['before ready'])
  expect(await space()).toBe(ofTwo / 2)
})
