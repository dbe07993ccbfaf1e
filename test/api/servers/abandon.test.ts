import { expect, test } from 'vitest'
import { startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { jobEnd } from '../../support/vm-world.ts'

test('a server on a permanently lost node can be abandoned, and then the node can be deleted', async () => {
  await using lodge = await startLodge()
  const admin = await lodge.admin()
  const node = await lodge.node()
  const owner = await lodge.customer()
  const { id: templateId } = await lodge.template()
  const agent = await lodge.standIn(node, { capabilities: ['container', 'container.backups'] })
  const size = { memoryMb: 128, cpuPercent: 10, diskMb: 128 }
  const body = { name: 'lost', ownerId: owner.id, templateId, ...size }
  const { serverId: id, jobId } = await admin.must('POST /api/servers', { body })
  await jobEnd(admin, jobId, 'done')

  const abandon = () =>
    admin.call('DELETE /api/servers/{id}', { params: { id }, query: { abandon: 'true' } })
  expect(await abandon()).toMatchObject({ status: 409, body: { code: 'invalid_state' } })

  // What waits for the node then waits for ever, unless it ends with the server.
  agent.working = false
  const params = { id }
  const restart = await admin.must('POST /api/servers/{id}/actions', {
    params,
    body: { action: 'restart' },
  })
  const backup = await admin.must('POST /api/servers/{id}/backups', { params, body: {} })
  agent.close()
  const gone = await until(async () => {
    const { status, body } = await abandon()
    return status === 202 && body
  })
  expect((await admin.call('GET /api/servers/{id}', { params: { id } })).status).toBe(404)
  await jobEnd(admin, restart.jobId, 'superseded')
  await jobEnd(admin, backup.jobId, 'cancelled')
  const { steps } = await jobEnd(admin, gone.jobId, 'done')
  expect(steps.map(({ state }) => state)).toEqual(['done'])
  const { rows } = await lodge.database.pool.query('select state, leftover from server_backups')
  expect(rows).toEqual([{ state: 'failed', leftover: true }])
  const removed = await admin.call('DELETE /api/nodes/{id}', { params: { id: node.id } })
  expect(removed.status).toBe(204)
})
