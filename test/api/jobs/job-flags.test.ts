import { randomUUID } from 'node:crypto'
import { JOB_KINDS } from '@lodge/shared/job-kinds.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { modules } from '../../../control-plane/src/modules.ts'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

let lodge: Lodge
let admin: Caller
let serverId: string
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  const { id: templateId } = await lodge.template()
  const node = await lodge.joinedNode()
  await lodge.standIn(node)
  const owner = await lodge.customer()
  serverId = await lodge.server({ ownerId: owner.id, templateId, nodeId: node.id })
  await until(
    async () =>
      (await admin.must('GET /api/servers/{id}', { params: { id: serverId } })).status ===
      'running',
  )
})
afterAll(() => lodge[Symbol.asyncDispose]())

async function job(kind: string, state: 'failed' | 'running'): Promise<{ id: string }> {
  const id = randomUUID()
  await lodge.database.pool.query(
    `insert into jobs (id, kind, title, state, server_id, generation, input, steps, ended_at)
     values ($1, $2, 'Job', $3, $4, 1000000, '{}', '[]', case when $3 = 'failed' then now() end)`,
    [id, kind, state, serverId],
  )
  return { id }
}
const KINDS = [...Object.keys(JOB_KINDS), 'of.an.older.lodge']

test('every saga is a declared job kind', () => {
  for (const { name } of modules.flatMap(({ sagas = [] }) => sagas))
    expect(Object.keys(JOB_KINDS)).toContain(name)
})

test.each(KINDS)(
  'a job offers to cancel or retry exactly when that is allowed: %s',
  async (kind) => {
    const open = await job(kind, 'running')
    const { cancellable } = await admin.must('GET /api/jobs/{id}', { params: open })
    const cancelled = await admin.call('POST /api/jobs/{id}/cancel', { params: open })
    expect(cancelled.status < 300).toBe(cancellable)

    const failed = await job(kind, 'failed')
    const { retryable } = await admin.must('GET /api/jobs/{id}', { params: failed })
    const retried = await admin.call('POST /api/jobs/{id}/retry', { params: failed })
    const refused = JSON.stringify(retried.body).includes('cannot be retried')
    expect(refused).toBe(!retryable)
  },
)
