import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { bootMs } from '../../../agent/src/guard/boot-clock.ts'
import { endGuard } from '../../../agent/src/guard/launch.ts'
import { busyboxTemplate, machineMissing, startMachine } from '../support/machine.ts'
import { allAre, makeServers } from '../support/servers.ts'

const missing = await machineMissing()
const TTL_SECONDS = 20
const BUDGET_MS = 5_000
const TICK = 'echo ready; while :; do cut -d " " -f 1 /proc/uptime >> /data/ticks; sleep 0.1; done'

describe.skipIf(missing !== null)('a whole installation', () => {
  it('a node in mode auto ends its servers when it is cut off, and starts them when it is connected again', {
    tags: 'long',
  }, async () => {
    await using machine = await startMachine()
    const { admin, nodeId } = machine
    const agentData = path.join(machine.folder, 'lodge/agent')
    const scope = (await readFile(path.join(agentData, 'scope'), 'utf8')).trim()
    const places = {
      folder: path.join('/run/lodge/guard', scope),
      recordFile: path.join(agentData, 'guard.jsonl'),
      scope,
      prefix: undefined,
    }
    try {
      const { ids } = await makeServers(machine, busyboxTemplate(TICK), 1)
      await allAre(machine, ids, 'running', 120_000)
      const [id = ''] = ids
      const ticks = path.join(agentData, 'servers/servers', id, 'data/ticks')
      const lastTickMs = async () =>
        Number((await readFile(ticks, 'utf8')).trimEnd().split('\n').at(-1)) * 1000
      const container = async () => (await machine.containers()).get(id)?.running ?? false

      const params = { id: nodeId }
      const body = { mode: 'auto', ttlSeconds: TTL_SECONDS } as const
      await admin.must('PUT /api/nodes/{id}/failover', { params, body })
      await machine.until(
        'the server is guarded',
        async () => (await admin.must('GET /api/nodes/{id}/failover', { params })).guarded === 1,
      )
      expect(await container()).toBe(true)

      process.kill(machine.agent.pid, 'SIGSTOP')
      const cutMs = bootMs()
      await machine.until('it has ended', async () => !(await container()))
      expect((await lastTickMs()) - cutMs).toBeLessThan(TTL_SECONDS * 1000 + BUDGET_MS)
      process.kill(machine.agent.pid, 'SIGCONT')
      const backMs = bootMs()
      await machine.until('it runs again', async () => (await lastTickMs()) > backMs)
      await allAre(machine, ids, 'running', 60_000)
      const { items } = await admin.must('GET /api/servers/{id}/events', { params: { id } })
      expect(items.map(({ kind }) => kind)).not.toContain('crashed')
    } finally {
      await endGuard(places)
    }
  })
})
