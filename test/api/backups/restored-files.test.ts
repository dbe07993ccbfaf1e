import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type RealAgent, startRealAgent } from '../../support/real-agent.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { connected, jobEnd } from '../../support/vm-world.ts'

let lodge: Lodge
let agent: RealAgent
let owner: Caller
let id: string
let backupId: string
beforeAll(async () => {
  lodge = await startLodge()
  const node = await lodge.joinedNode()
  agent = await startRealAgent(lodge, node)
  await connected(lodge, node.id)
  owner = await lodge.customer()
  const admin = await lodge.admin()
  const { id: templateId } = await lodge.template()
  const { serverId, jobId } = await admin.must('POST /api/servers', {
    body: { name: 'One', ownerId: owner.id, templateId, nodeId: node.id, start: false },
  })
  await jobEnd(admin, jobId, 'done')
  id = serverId
  folders().set(folder(), 'saved')
  const made = await owner.must('POST /api/servers/{id}/backups', { params: { id }, body: {} })
  await jobEnd(owner, made.jobId, 'done')
  backupId = made.backupId
})
afterAll(async () => {
  await agent?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const folders = () => agent.driver.runtime.folders
const folder = () => agent.driver.dataFolder(id)
const restore = (body: { confirm?: true; keepReplaced?: boolean; into?: string }) =>
  owner.call('POST /api/servers/{id}/backups/{backupId}/restore-files', {
    params: { id, backupId },
    body: { paths: ['/contents'], ...body },
  })

test('files that a restore replaces are moved to a folder of their own each time, and the job says so', async () => {
  const seen = new Set<string>()
  for (const text of ['newer', 'newest']) {
    folders().set(folder(), text)
    const { body } = await restore({ confirm: true, keepReplaced: true })
    const job = await jobEnd(owner, body.jobId, 'done')
    expect(job.kind).toBe('backup.restore-files-keeping')
    expect(body.keptIn).toMatch(/^\/replaced-\d{4}-\d\d-\d\d-\d{4}-[0-9a-f]{4}$/)
    expect(job.steps[0]?.detail).toBe(`The replaced file was moved to ${body.keptIn}`)
    expect(folders().get(folder())).toBe('saved')
    expect(folders().get(`${folder()}${body.keptIn}`)).toBe(text)
    seen.add(body.keptIn ?? '')
  }
  expect(seen.size).toBe(2)
})

test('they are lost only if somebody says so, and confirms it', async () => {
  expect(await restore({ keepReplaced: true })).toMatchObject({
    ...{ status: 400, body: { code: 'confirmation_required' } },
  })
  folders().set(folder(), 'newer')
  const before = folders().size
  const { body } = await restore({ confirm: true })
  expect(body.keptIn).toBeNull()
  await jobEnd(owner, body.jobId, 'done')
  expect([folders().get(folder()), folders().size]).toEqual(['saved', before])
})

test('an agent that cannot keep them replaces nothing', async () => {
  const able = (change: string) =>
    lodge.database.pool.query(
      `update nodes set capabilities = ${change}(capabilities, 'agent.backup-keeps-replaced') where id = $1`,
      [agent.nodeId],
    )
  await able('array_remove')
  folders().set(folder(), 'newer')
  const refused = await restore({ confirm: true, keepReplaced: true })
  await able('array_append')
  expect(refused).toMatchObject({
    status: 409,
    body: {
      code: 'unsupported_on_node',
      detail: expect.stringContaining('too old to keep what is replaced'),
    },
  })
  expect(folders().get(folder())).toBe('newer')
})
