import { expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { jobEnd, machineWorld, makeVm } from '../../support/vm-world.ts'

test('virtual machines are backed up and restored as container servers are', async () => {
  await using world = await machineWorld()
  const { lodge, owner, admin, agent, node } = world
  const { runtime } = agent.driver
  const { id } = await makeVm(lodge, owner.id, { start: true })
  const other = await makeVm(lodge, owner.id)
  const parts = (of = id) => runtime.machines.get(of)?.parts ?? new Map<string, string>()
  const list = () => owner.must('GET /api/servers/{id}/backups', { params: { id }, query: {} })
  parts().set('system', 'first').set('firmware', 'first')
  const made = await owner.must('POST /api/servers/{id}/actions', {
    params: { id },
    body: { action: 'backup' },
  })
  await jobEnd(owner, made.jobId, 'done')
  const { items, standing } = await list()
  const backupId = items[0]?.id ?? ''
  expect(items).toMatchObject([{ state: 'good', takenWhileRunning: true }])
  expect(standing).toMatchObject({
    used: { serverBackups: 1 },
    whyNot: { create: null, restore: null, download: null },
  })
  parts().set('system', 'ruined').set('firmware', 'ruined')
  const back = await owner.must('POST /api/servers/{id}/actions', {
    params: { id },
    body: { action: 'restore', backupId, confirm: true, backUpFirst: true },
  })
  await jobEnd(owner, back.jobId, 'done')
  expect([parts().get('system'), parts().get('firmware')]).toEqual(['first', 'first'])
  expect((await list()).items.map(({ state }) => state)).toEqual(['good', 'good'])
  const { status } = await owner.must('GET /api/servers/{id}', { params: { id } })
  expect(status).toBe('running')
  await until(async () => (await list()).standing.former === null)

  const restoreTo = (serverId: string) =>
    owner.call('POST /api/servers/{id}/backups/{backupId}/restore', {
      params: { id, backupId },
      body: { serverId, confirm: true },
    })
  const elsewhere = await restoreTo(other.id)
  expect(elsewhere.status).toBe(202)
  await jobEnd(owner, elsewhere.body.jobId, 'done')
  expect(parts(other.id).get('system')).toBe('first')
  const { id: templateId } = await lodge.template()
  const container = await admin.must('POST /api/servers', {
    body: { name: 'One', ownerId: owner.id, templateId, nodeId: node.id, start: false },
  })
  await jobEnd(admin, container.jobId, 'done')
  expect(await restoreTo(container.serverId)).toMatchObject({
    status: 409,
    body: { code: 'invalid_state', detail: expect.stringContaining('is no virtual machine') },
  })
  const files = await owner.call('POST /api/servers/{id}/backups/{backupId}/restore-files', {
    params: { id, backupId },
    body: { paths: ['/disk-system.qcow2'], confirm: true },
  })
  expect(files).toMatchObject({
    status: 409,
    body: { code: 'invalid_state', detail: expect.stringContaining('contains disks') },
  })
})
