import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())

const HOUR_MS = 3_600_000

test.for([
  ['ahead', HOUR_MS],
  ['behind', -HOUR_MS],
] as const)(
  'samples of a node whose clock is an hour %s count for the time they were taken',
  async ([_, aheadMs]) => {
    const admin = await lodge.admin()
    const owner = await lodge.customer()
    const template = await lodge.template()
    const node = await lodge.node()
    const agent = await lodge.standIn(node)
    agent.close()
    agent.hello = { clockUnixMs: Date.now() + aheadMs }
    await agent.connect()
    const serverId = await lodge.server({
      ownerId: owner.id,
      templateId: template.id,
      nodeId: node.id,
    })
    await agent.heard(serverId)
    const at = new Date(Date.now() - 30_000 + aheadMs)
    const network = { networkRxBytesPerSecond: 0, networkTxBytesPerSecond: 0 }
    const servers = [{ serverId, at, cpuPercent: 7, memoryBytes: 1, ...network }]
    agent.line?.say({
      $case: 'report',
      value: { sequence: 1, content: { $case: 'metrics', value: { servers, nodes: [] } } },
    })
    await agent.line?.next('reportAck', ({ through }) => through === 1)
    const { points } = await admin.must('GET /api/servers/{id}/metrics', {
      params: { id: serverId },
      query: { range: 'hour' },
    })
    expect(points).toMatchObject([{ cpuPercent: 7 }])
    const ageMs = Date.now() - Date.parse(points[0]?.at ?? '')
    expect(ageMs).toBeGreaterThan(10_000)
    expect(ageMs).toBeLessThan(120_000)
    agent.close()
  },
)
