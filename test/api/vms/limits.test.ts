import { randomUUID } from 'node:crypto'
import type { ChangeVmDisks } from '@lodge/shared/vms.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../../support/caller.ts'
import { hundred } from '../../support/hundred.ts'
import type { Lodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import {
  connected,
  jobEnd,
  LINUX,
  type MachineWorld,
  machineWorld,
  makeVm,
} from '../../support/vm-world.ts'

let lodge: Lodge
let other: Lodge
let world: MachineWorld
let nodeId: string
let admin: Caller
beforeAll(async () => {
  world = await machineWorld()
  ;({ lodge, admin } = world)
  nodeId = world.node.id
  other = await lodge.beside()
})
afterAll(async () => {
  await other?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
})

const detailOf = (body: unknown) => z.object({ detail: z.string() }).parse(body).detail
const codeOf = (body: unknown) => z.object({ code: z.string() }).parse(body).code
const quota = (owner: Caller, layer: object) =>
  admin.must('PATCH /api/customers/{id}', { params: { id: owner.id }, body: { quota: layer } })
const machinesOf = async (owner: Caller, count: number) =>
  (await Promise.all(Array.from({ length: count }, () => makeVm(lodge, owner.id)))).map(
    ({ id }) => id,
  )
const snap = (caller: Caller, id: string | undefined) =>
  caller.call('POST /api/servers/{id}/vm/snapshots', {
    params: { id: id ?? '' },
    body: { name: randomUUID() },
  })
/** Waits until no job on somebody's machines is open. */
const settled = (owner: Caller) =>
  until(async () => {
    const { items } = await owner.must('GET /api/jobs', { query: { limit: 100 } })
    return items.every(({ endedAt }) => endedAt !== null)
  })
const usedOf = async (owner: Caller, key: string) =>
  (await owner.must('GET /api/limits/me')).limits.find((limit) => limit.key === key)?.used
/** Takes snapshots of these machines, a hundred concurrently; the node must be connected to begin. */
async function snapAll(owner: Caller, ids: readonly string[]) {
  await connected(lodge, nodeId)
  return hundred([lodge, other], owner, (caller, nth) => snap(caller, ids[nth % ids.length]))
}
/** Retries until the limit is what refuses: a busy node is sometimes disconnected for a moment. */
const refusedBy = (owner: Caller, ids: readonly string[], sentence: string) =>
  until(async () => {
    await settled(owner)
    const { taken, refusals } = await snapAll(owner, ids)
    expect(taken).toBe(0)
    return refusals.some(
      (refusal) => detailOf(refusal) === `This would exceed the limit of ${sentence}`,
    )
  })

describe('C4 CVE-2025-69198: a hundred concurrent requests on two control planes get exactly the machines that the limit allows', () => {
  test('maxMemoryMb, by creating', async () => {
    const owner = await lodge.customer()
    await quota(owner, { maxMemoryMb: 1600 })
    const all = () =>
      hundred([lodge, other], admin, (caller) =>
        caller.call('POST /api/servers', {
          body: {
            name: 'Machine',
            ownerId: owner.id,
            nodeId,
            memoryMb: 512,
            diskMb: 1024,
            start: false,
            templateId: LINUX,
            vm: { vcpus: 1, source: { kind: 'empty' } },
          },
        }),
      )
    // A busy node may be disconnected for a moment, so that fewer fit at first, but never more.
    await until(async () => {
      await all()
      const used = (await usedOf(owner, 'maxMemoryMb')) ?? 0
      expect(used).toBeLessThanOrEqual(1536)
      return used === 1536
    })
    await settled(owner)
  })

  test.each([
    ['maxCpuPercent', 300],
    ['maxDiskMb', 2 * 1024 + 64],
  ] as const)('%s, by other hardware', async (key, value) => {
    const owner = await lodge.customer()
    const ids = await machinesOf(owner, 2)
    await quota(owner, { [key]: value })
    await until(async () => {
      await connected(lodge, nodeId)
      const { refusals } = await hundred([lodge, other], admin, (caller, nth) => {
        const params = { id: ids[nth % 2] ?? '' }
        return key === 'maxDiskMb'
          ? caller.call('POST /api/servers/{id}/vm/disks', {
              params,
              body: { disks: [{ sizeMb: 64 }] },
            })
          : caller.call('POST /api/servers/{id}/vm/resources', {
              params,
              body: { vcpus: 2, memoryMb: 512 },
            })
      })
      await settled(owner)
      const used = (await usedOf(owner, key)) ?? 0
      expect(used).toBeLessThanOrEqual(value)
      return used === value && refusals.some((refusal) => codeOf(refusal) === 'limit_exceeded')
    }, 120_000)
  })

  test('maxBackups, maxServerBackups and maxBackupStorageMb, by snapshots', async () => {
    const owner = await lodge.customer()
    const ids = await machinesOf(owner, 3)
    const [one = ''] = ids

    await quota(owner, { maxServerBackups: 1 })
    const filled = (key: string, value: number, of: readonly string[]) =>
      until(async () => {
        await snapAll(owner, of)
        await settled(owner)
        const used = (await usedOf(owner, key)) ?? 0
        expect(used).toBeLessThanOrEqual(value)
        return used === value
      }, 120_000)
    await filled('maxServerBackups', 1, [one])
    await refusedBy(owner, [one], '1 backups per server (1 in use, 1 requested)')

    await quota(owner, { maxServerBackups: null, maxBackups: 2 })
    await filled('maxBackups', 2, ids)
    await refusedBy(owner, ids, '2 backups (2 in use, 1 requested)')

    // The size of a copy is known only after the node has reported it; here it is one MiB each.
    await quota(owner, { maxBackups: null, maxBackupStorageMb: 3 })
    await filled('maxBackupStorageMb', 3, ids)
    await refusedBy(owner, ids, '3 MiB of backup storage (3 in use, 1 requested)')
  })
})

test('snapshots count towards the limit as the view shows them: not those of a server that came with a plan', async () => {
  const owner = await lodge.customer()
  const [planned = '', own = ''] = await machinesOf(owner, 2)
  await lodge.database.pool.query(
    `with plan as (insert into plans (id, name, kind) values (gen_random_uuid(), $2, 'server') returning id),
     sub as (insert into subscriptions (id, user_id, plan_id, status)
       select gen_random_uuid(), $1, id, 'active' from plan returning id)
     update servers set subscription_id = (select id from sub) where id = $3`,
    [owner.id, `Plan ${owner.id}`, planned],
  )
  await quota(owner, { maxBackups: 1 })
  await connected(lodge, nodeId)
  for (const id of [planned, own]) {
    expect((await snap(owner, id)).status).toBe(202)
    await settled(owner)
  }
  expect(await usedOf(owner, 'maxBackups')).toBe(1)
  expect(detailOf((await snap(owner, own)).body)).toBe(
    'This would exceed the limit of 1 backups (1 in use, 1 requested)',
  )
})

test('how fast disks are is for the host to choose, also those that their owner adds', async () => {
  const owner = await lodge.customer()
  const { id } = await makeVm(lodge, owner.id)
  const change = (caller: Caller, disks: ChangeVmDisks['disks']) =>
    caller.call('POST /api/servers/{id}/vm/disks', { params: { id }, body: { disks } })
  const done = async (answer: Awaited<ReturnType<typeof change>>) =>
    jobEnd(admin, answer.body.jobId, 'done')
  const free = { readIops: 0, writeIops: 0, readBytesPerSecond: 0, writeBytesPerSecond: 0 }
  const limits = { ...free, readIops: 500, writeIops: 400 }
  await done(await change(admin, [{ id: 'system', limits }]))
  for (const asked of [
    { id: 'system', limits: free },
    { sizeMb: 1, limits: free },
  ])
    expect(await change(owner, [asked])).toMatchObject({
      status: 403,
      body: { code: 'permission_required' },
    })
  await done(await change(owner, [{ id: 'system', sizeMb: 2048, limits }, { sizeMb: 1 }]))
  const { disks } = await owner.must('GET /api/servers/{id}/vm', { params: { id } })
  expect(disks.map((disk) => disk.limits)).toEqual([limits, limits])
})
