import { expect, test } from 'vitest'
import { jobEnd, machineWorld, makeVm } from '../../support/vm-world.ts'
import { ended, makeSchedule, run } from './world.ts'

test('snapshots of a machine are made by schedule, and only its own are rotated', async () => {
  await using world = await machineWorld()
  const { lodge, owner } = world
  const { id } = await makeVm(lodge, owner.id)
  const place = { owner, id }
  const { options } = await owner.must('GET /api/servers/{id}/schedules', { params: { id } })
  const refused = options.actions.filter((one) => one.unavailable !== null)
  expect(refused.map((one) => one.action)).toEqual(['deleteFiles', 'archiveFiles'])
  const names = async () => {
    const { snapshots } = await owner.must('GET /api/servers/{id}/vm', { params: { id } })
    return snapshots.map((one) => one.name.replace(/ \d{4}-.*/, '')).toSorted()
  }
  const byHand = await owner.must('POST /api/servers/{id}/vm/snapshots', {
    params: { id },
    body: { name: 'kept by hand' },
  })
  await jobEnd(owner, byHand.jobId, 'done')
  const scheduleId = await makeSchedule(place, [
    { action: 'power', power: 'stop', conditions: [{ about: 'state', in: ['running'] }] },
    { action: 'snapshot', name: 'nightly', keep: 2 },
  ])
  for (const expected of [1, 2, 2]) {
    await run(place, owner, scheduleId)
    const done = await ended(place, scheduleId)
    expect(done.tasks.map(({ state, detail }) => `${state}: ${detail}`)).toEqual([
      'skipped: The server is stopped',
      'done: null',
    ])
    expect(await names()).toEqual([
      'kept by hand',
      ...Array.from({ length: expected }, () => 'nightly'),
    ])
  }
})
