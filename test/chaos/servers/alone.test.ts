import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  busyboxTemplate,
  type Machine,
  machineMissing,
  startMachine,
} from '../../real/support/machine.ts'
import { allAre, makeServers } from '../../real/support/servers.ts'

const missing = await machineMissing()

describe.skipIf(missing)('schedules without the control plane', () => {
  let machine: Machine
  beforeAll(async () => {
    machine = await startMachine()
  })
  afterAll(() => machine?.[Symbol.asyncDispose]())

  test('a command arrives once while the control plane is down, even if the agent is killed', async () => {
    const program = 'echo ready; while read line; do echo "heard $line"; done'
    const { ids } = await makeServers(machine, busyboxTemplate(program), 1)
    const [id = ''] = ids
    const { admin } = machine
    await allAre(machine, ids, 'running', 120_000)
    const heard = async () => {
      const { lines } = await admin.must('GET /api/servers/{id}/logs', { params: { id } })
      return lines.flatMap((line) => /^heard (.*)$/.exec(line.trim())?.[1] ?? [])
    }
    const schedule = await admin.must('POST /api/servers/{id}/schedules', {
      params: { id },
      body: {
        intervalMinutes: 1,
        tasks: [
          { action: 'command', command: 'first' },
          { action: 'wait', seconds: 8 },
          { action: 'command', command: 'second' },
        ],
      },
    })
    expect(schedule.runsAlone).toBe(true)
    await admin.must('POST /api/servers/{id}/command', {
      params: { id },
      body: { command: 'hello' },
    })
    await machine.until('the server reads its input', async () => (await heard()).length > 0)

    await machine.panel.kill()
    await machine.until(
      'the node runs the schedule by itself',
      () => machine.agent.output().includes('a schedule runs without the control plane'),
      120_000,
    )
    await machine.agent.kill()
    machine.agent.start()
    const backAt = Date.now()
    const ended = machine.until('the run goes on', () =>
      /"msg":"a run of a schedule has ended"/.test(machine.agent.output()),
    )
    await ended
    // Off before the schedule is due again.
    machine.panel.start()
    await machine.until('all is up again', () => machine.isUp(backAt), 120_000)
    const params = { id, scheduleId: schedule.id }
    await admin.must('PATCH /api/servers/{id}/schedules/{scheduleId}', {
      params,
      body: { enabled: false },
    })
    const run = await machine.until('the run is told', async () => {
      const { items } = await admin.must('GET /api/servers/{id}/schedules/{scheduleId}/runs', {
        params,
      })
      return items.find(({ byNode, endedAt }) => byNode && endedAt !== null)
    })
    expect(run.dueAt).toBe(schedule.nextRunAt)
    const lines = await heard()
    const counts = ['first', 'second'].map((word) => lines.filter((one) => one === word).length)
    // If the agent is killed while sending the first one, its delivery is unknown, so it is not sent
    // again.
    if (run.state === 'done') expect(counts).toEqual([1, 1])
    else expect(run.detail).toContain('It is not known whether it arrived')
    expect(Math.max(...counts)).toBe(1)
  })
})
