import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { JOB_KINDS, type JobKindName, jobKind } from '@lodge/shared/job-kinds.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type FreshDatabase, freshDatabase } from '../../../../test/support/database.ts'
import { authorityOf } from '../board/authority.ts'
import { openWorkshop, type Workshop } from '../worker.fixture.ts'
import { saga } from './saga.ts'

let database: FreshDatabase
let workshop: Workshop
beforeAll(async () => {
  database = await freshDatabase()
  workshop = await openWorkshop(database.url)
})
afterAll(async () => {
  await workshop.stop()
  await database.drop()
})

const NAMES = Object.keys(JOB_KINDS) as JobKindName[]
const enqueue = (name: string, serverId: string) =>
  workshop.jobs.sagas.enqueue(
    workshop.ctx,
    saga(name, z.object({})).step('Only', { do: async () => undefined }),
    {},
    { title: `Start ${name}`, serverId },
  )

test('jobs of one server exclude each other exactly if their kinds share a group', async () => {
  for (const one of NAMES) {
    for (const other of NAMES) {
      const serverId = randomUUID()
      await enqueue(one, serverId)
      const group = jobKind(one).concurrencyGroup
      const excluded = group !== null && group === jobKind(other).concurrencyGroup
      const second = enqueue(other, serverId)
      if (excluded) await expect(second).rejects.toMatchObject({ code: 'job_in_progress' })
      else await expect(second).resolves.toMatchObject({ kind: other })
    }
  }
})

test('the checklist lists the groups that the kinds declare', async () => {
  const page = await readFile(new URL('../../../../docs/adding-a-job.md', import.meta.url), 'utf8')
  const told = [...page.matchAll(/^ {3}\| `(\w+)` +\| ((?:`[\w.-]+` ?)+)/gm)].map(
    ([, group, kinds]) => [group, kinds?.match(/[\w.-]+/g)],
  )
  const declared = Map.groupBy(NAMES, (name) => jobKind(name).concurrencyGroup)
  declared.delete(null)
  expect(told).toEqual([...declared].map(([group, kinds]) => [group, kinds.toSorted()]))
})

test('a job that only starts others does not exclude them, and an unknown kind excludes all', async () => {
  const serverId = randomUUID()
  await enqueue('server.update', serverId)
  await expect(enqueue('vm.snapshot.create', serverId)).resolves.toBeDefined()
  await expect(enqueue('of.an.older.lodge', serverId)).rejects.toMatchObject({
    code: 'job_in_progress',
  })
})

test('a job started by a saga inherits its rights and starter', async () => {
  const authority = { as: 'administrator', mayForceLimits: true, userId: randomUUID() } as const
  const ctx = { ...workshop.ctx, actor: { kind: 'system', authority } } as typeof workshop.ctx
  const job = await workshop.jobs.sagas.enqueue(
    ctx,
    saga('test.inherits', z.object({})).step('Only', { do: async () => undefined }),
    {},
    { title: 'Start inherits' },
  )
  expect(job.startedBy).toBe(authority.userId)
  const { rows } = await database.pool.query('select authority from sagas where job_id = $1', [
    job.id,
  ])
  expect(rows).toEqual([{ authority }])
  expect(authorityOf({ kind: 'system' })).toEqual({
    as: 'customer',
    mayForceLimits: false,
    userId: null,
  })
})
