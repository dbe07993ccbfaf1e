import { expect, test } from 'vitest'
import { startRealAgent } from '../../support/real-agent.ts'
import { startLodge } from '../../support/stack.ts'
import { connected, jobEnd } from '../../support/vm-world.ts'
import { ended, makeSchedule, run } from './world.ts'

test('scheduled backups are rotated within their schedule, and make room at the limit', async () => {
  await using lodge = await startLodge()
  const node = await lodge.joinedNode()
  await using agent = await startRealAgent(lodge, node)
  await connected(lodge, node.id)
  const [admin, owner] = [await lodge.admin(), await lodge.customer()]
  const templateId = (await lodge.template()).id
  const { serverId: id, jobId } = await admin.must('POST /api/servers', {
    body: { name: 'One', ownerId: owner.id, templateId, nodeId: node.id, start: false },
  })
  await jobEnd(admin, jobId, 'done')
  agent.driver.runtime.folders.set(agent.driver.dataFolder(id), 'content')
  const byHand = await owner.must('POST /api/servers/{id}/backups', {
    params: { id },
    body: { name: 'by hand' },
  })
  await jobEnd(owner, byHand.jobId, 'done')
  const names = async () => {
    const { items } = await owner.must('GET /api/servers/{id}/backups', {
      params: { id },
      query: {},
    })
    return items.map((one) => `${one.name}${one.scheduled ? ' by schedule' : ''}`).toSorted()
  }
  const place = { owner, id }
  const backUp = async (scheduleId: string) => {
    const { runId } = await run(place, owner, scheduleId)
    const done = await ended(place, scheduleId)
    expect(done).toMatchObject({ id: runId, tasks: [{ detail: null, state: 'done' }] })
    expect(done.tasks[0]?.jobId).toBeTruthy()
  }
  const nightly = await makeSchedule(place, [{ action: 'backup', name: 'nightly', keep: 1 }])
  const weekly = await makeSchedule(place, [{ action: 'backup', name: 'weekly' }])
  await backUp(weekly)
  for (let time = 0; time < 2; time++) {
    await backUp(nightly)
    expect(await names()).toEqual(['by hand', 'nightly by schedule', 'weekly by schedule'])
  }
  await lodge.database.pool.query('update users set quota = $2 where id = $1', [
    owner.id,
    { maxServerBackups: 3 },
  ])
  await backUp(weekly)
  // The older scheduled backups were rotated out, the manual one was not.
  expect(await names()).toEqual(['by hand', 'nightly by schedule', 'weekly by schedule'])

  // A limit that was lowered refuses further backups, and takes none of those that are there.
  await lodge.database.pool.query('update users set quota = $2 where id = $1', [
    owner.id,
    { maxServerBackups: 2 },
  ])
  await run(place, owner, weekly)
  expect(await ended(place, weekly)).toMatchObject({ tasks: [{ state: 'failed' }] })
  expect(await names()).toEqual(['by hand', 'nightly by schedule', 'weekly by schedule'])
})
