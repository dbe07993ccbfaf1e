import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestOf } from '../../support/caller.ts'
import { startLodge } from '../../support/stack.ts'
import { jobEnd } from '../../support/vm-world.ts'
import { environment, type FileWorld, fileWorld } from '../files/world.ts'

let world: FileWorld
beforeAll(async () => {
  world = await fileWorld()
  const { agent, serverId } = world
  agent.driver.runtime.folders.set(agent.driver.dataFolder(serverId), 'first')
})
afterAll(() => world?.[Symbol.asyncDispose]())

test('a suspended person downloads a backup as soon as they may export, on every control plane', async () => {
  const { lodge, admin, owner, serverId: id } = world
  await using second = await startLodge({ environment, beside: lodge })
  const made = await owner.must('POST /api/servers/{id}/backups', { params: { id }, body: {} })
  await jobEnd(owner, made.jobId, 'done')
  const { backupId } = made
  const download = requestOf('GET /api/servers/{id}/backups/{backupId}/download', {
    params: { id, backupId },
    query: { format: 'tar', path: '/' },
  })
  const cookies = { panel_session: owner.cookie ?? '' }
  const answers = new Set<string>()
  const read = async () => {
    for (const by of [lodge, second]) {
      const { statusCode, body } = await by.anonymous().send({ ...download, cookies })
      answers.add(`${statusCode} ${body}`)
    }
  }
  const params = { id: owner.id }
  const body = { reasonCode: 'other' as const, options: { allowDataExport: true } }
  for (let round = 0; round < 6; round += 1) {
    await admin.must('POST /api/customers/{id}/suspend', { params, body })
    await read()
    await admin.must('DELETE /api/customers/{id}/suspension', { params, query: {} })
    await read()
  }
  expect([...answers]).toEqual(['200 first'])
})
