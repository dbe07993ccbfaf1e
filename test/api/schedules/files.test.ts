import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { type FileWorld, fileWorld } from '../files/world.ts'
import { share } from '../support/share.ts'
import { ended, makeSchedule, run } from './world.ts'

let world: FileWorld
beforeAll(async () => {
  world = await fileWorld()
  const params = { id: world.serverId }
  for (const path of ['/world', '/logs/old'])
    await world.owner.must('POST /api/servers/{id}/files/mkdir', { params, body: { path } })
  await writeFile(on('world/level.dat'), 'level')
  await writeFile(on('logs/old/1.log'), 'old')
  await writeFile(on('logs/latest.log'), 'latest')
})
afterAll(() => world?.[Symbol.asyncDispose]())

const on = (name: string) => path.join(world.folder, name)
const DELETE = { action: 'deleteFiles' as const, paths: ['/logs/old'] }
const ARCHIVE = { action: 'archiveFiles' as const, paths: ['/world'], to: '/archives' }

test('files are archived under the time of the run, and others deleted, each by a job', async () => {
  const { owner, serverId: id } = world
  const scheduleId = await makeSchedule({ owner, id }, [ARCHIVE, DELETE])
  await run({ id }, owner, scheduleId)
  const { state, tasks } = await ended({ owner, id }, scheduleId)
  expect(state).toBe('done')
  const [name = ''] = await readdir(on('archives'))
  expect(name).toMatch(/^world-\d{4}-\d\d-\d\d-\d{6}\.tar\.gz$/)
  expect(tasks[0]?.detail).toBe(`/archives/${name}`)
  expect(await readdir(on('logs'))).toEqual(['latest.log'])
  const titles = tasks.map(async ({ jobId }) => {
    const job = await owner.must('GET /api/jobs/{id}', { params: { id: jobId ?? '' } })
    return job.title
  })
  expect(await Promise.all(titles)).toEqual(['Archive world on One', 'Delete old on One'])
})

test('a file that is already deleted is noted in the run, and does not fail it', async () => {
  const { owner, serverId: id } = world
  await writeFile(on('logs/there.log'), 'there')
  const scheduleId = await makeSchedule({ owner, id }, [
    { ...DELETE, paths: ['/logs/gone', '/logs/there.log', '/nowhere/at/all'] },
    { ...ARCHIVE, paths: ['/world', '/logs/gone'], to: '/some' },
    { ...ARCHIVE, paths: ['/gone'], to: '/none' },
  ])
  await run({ id }, owner, scheduleId)
  const { state, tasks } = await ended({ owner, id }, scheduleId)
  expect(tasks.map(({ detail }) => detail)).toEqual([
    '2 entries were left out, such as /logs/gone: it is not there',
    expect.stringMatching(
      /^Written to \/some\/files-[-\d]+\.tar\.gz\. 1 entry was left out: \/logs\/gone: it is not there$/,
    ),
    '1 entry was left out: /gone: it is not there',
  ])
  expect(state).toBe('done')
  expect(await readdir(on('logs'))).not.toContain('there.log')
  expect(await readdir(on('some'))).toHaveLength(1)
  expect(await readdir(on('.'))).not.toContain('none')
})

test('a task keeps the configured number of archives, and deletes only its own', async () => {
  const { owner, serverId: id, lodge } = world
  const scheduleId = await makeSchedule({ owner, id }, [
    { ...ARCHIVE, to: '/kept', keep: 2 },
    { ...ARCHIVE, paths: ['/logs'], to: '/kept', keep: 1 },
  ])
  const shown = async () => (await readdir(on('kept'))).toSorted()
  const made: string[] = []
  for (let time = 1; time <= 3; time++) {
    // Archives are distinguished by the second in their names.
    const second = new Date().getUTCSeconds()
    await until(async () => new Date().getUTCSeconds() !== second)
    await run({ id }, owner, scheduleId)
    const { tasks } = await ended({ owner, id }, scheduleId)
    expect(tasks.map((task) => task.state)).toEqual(['done', 'done'])
    made.push(...tasks.map(({ detail }) => path.basename(detail ?? '')))
    if (time === 1) await writeFile(on('kept/world-2020-01-01-000000.tar.gz'), 'by hand')
  }
  const [, , second, , third, logs] = made
  expect(await shown()).toEqual(['world-2020-01-01-000000.tar.gz', second, third, logs].toSorted())
  const guest = await lodge.customer()
  await share(lodge, id, owner, guest, ['schedules.manage', 'schedules.view', 'files.write'])
  expect(
    await guest.call('POST /api/servers/{id}/schedules', {
      params: { id },
      body: { cron: '0 0 1 1 *', tasks: [{ ...ARCHIVE, keep: 1 }] },
    }),
  ).toMatchObject({ status: 403, body: { permission: 'files.delete' } })
})

test('a schedule cannot access files that its author cannot access', async () => {
  const { lodge, owner, serverId: id } = world
  const guest = await lodge.customer()
  await share(lodge, id, owner, guest, ['schedules.manage', 'schedules.view', 'files.read'])
  for (const [task, permission] of [
    [DELETE, 'files.delete'],
    [ARCHIVE, 'files.write'],
  ] as const)
    expect(
      await guest.call('POST /api/servers/{id}/schedules', {
        params: { id },
        body: { cron: '0 0 1 1 *', tasks: [task] },
      }),
    ).toMatchObject({ status: 403, body: { code: 'permission_required', permission } })
})

test('a collaborator’s folder rules apply to their schedules', async () => {
  const { lodge, owner, serverId: id } = world
  const guest = await lodge.customer()
  const rights = ['schedules.manage', 'schedules.view', 'files.read', 'files.delete'] as const
  await share(lodge, id, owner, guest, [...rights])
  await owner.must('PATCH /api/servers/{id}/collaborators/{userId}', {
    params: { id, userId: guest.id },
    body: { files: [{ path: '/world', access: 'read' }] },
  })
  const scheduleId = await makeSchedule({ owner: guest, id }, [
    { action: 'deleteFiles', paths: ['/world/level.dat'] },
  ])
  await run({ id }, owner, scheduleId)
  const { state, detail } = await ended({ owner, id }, scheduleId)
  expect([state, detail]).toEqual(['failed', 'Task 1: You may not do this with /world/level.dat.'])
  expect(await readdir(on('world'))).toEqual(['level.dat'])
})
