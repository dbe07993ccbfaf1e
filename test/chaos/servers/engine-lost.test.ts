import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  busyboxTemplate,
  type Machine,
  machineMissing,
  startMachine,
} from '../../real/support/machine.ts'
import { allAre, disagreements, makeServers } from '../../real/support/servers.ts'

const missing = await machineMissing()

describe.skipIf(missing)('a Docker engine whose death ends its containers', () => {
  let machine: Machine
  beforeAll(async () => {
    machine = await startMachine({ liveRestore: false })
  })
  afterAll(() => machine?.[Symbol.asyncDispose]())

  test('its servers are restarted by their policy, and their histories record it', async () => {
    const script = 'echo ready; while :; do sleep 1; done'
    const { ids } = await makeServers(machine, busyboxTemplate(script), 3)
    await allAre(machine, ids, 'running', 120_000)
    const [stopped = '', ...others] = ids
    await machine.admin.must('POST /api/servers/{id}/actions', {
      params: { id: stopped },
      body: { action: 'stop' },
    })
    await allAre(machine, [stopped], 'stopped', 60_000)
    const before = await machine.containers()

    await machine.engine.program.kill()
    await machine.engine.start()
    await machine.until(
      'they run again',
      async () => {
        const now = await machine.containers()
        return others.every((id) => {
          const container = now.get(id)
          return container?.running && container.startedAt !== before.get(id)?.startedAt
        })
      },
      90_000,
    )
    await allAre(machine, others, 'running', 60_000)
    for (const id of others) {
      const items = await machine.until('its history says so', async () => {
        const { items } = await machine.admin.must('GET /api/servers/{id}/events', {
          params: { id },
        })
        return items[0]?.kind === 'restarted' && items
      })
      expect(items.slice(0, 2).map(({ kind }) => kind)).toEqual(['restarted', 'crashed'])
      expect(items[1]?.restart).toMatchObject({ attempt: 1 })
    }
    await allAre(machine, [stopped], 'stopped', 10_000)
    await machine.until(
      'the panel says what Docker says',
      async () => (await disagreements(machine)).length === 0,
    )
  })
})
