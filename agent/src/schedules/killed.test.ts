import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NodeSchedules } from '@lodge/shared/node-schedules.ts'
import type { ScheduleTask } from '@lodge/shared/schedules.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { drawn } from '../../../drivers/contract/src/suite/chance.ts'
import { lengthOf } from '../../../test/run/lengths.ts'
import { specText } from '../testing/agent.fixture.ts'
import { FleetFixture } from '../testing/fleet.fixture.ts'

const COMMANDS = 20
const serverId = randomUUID()
let fleet: FleetFixture
let folder: string
let agent: ChildProcess

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lodge-alone-'))
  fleet = await FleetFixture.open()
})
afterEach(async () => {
  agent.kill('SIGKILL')
  await fleet.vanish()
  await rm(folder, { recursive: true, force: true })
})

const heardFile = () => join(folder, 'heard')
const heard = () =>
  existsSync(heardFile()) ? readFileSync(heardFile(), 'utf8').trimEnd().split('\n') : []

function start(): void {
  const given = { identity: fleet.identity, folder, heard: heardFile(), aloneAfterMs: 100 }
  agent = fork(join(import.meta.dirname, '../testing/alone-agent.ts'), [JSON.stringify(given)])
}
async function kill(): Promise<void> {
  const exited = once(agent, 'exit')
  agent.kill('SIGKILL')
  await exited
}

/** A schedule of many commands that is due in a moment. */
function document(scheduleId: string, due: Date, round: number): string {
  const tasks = Array.from(
    { length: COMMANDS },
    (_, at): ScheduleTask => ({
      ...{ action: 'command', command: `round ${round} command ${at}` },
      ...{ conditions: [], otherwise: 'skip', continueOnFailure: true },
    }),
  )
  const content: NodeSchedules = {
    schedules: [
      {
        ...{ id: scheduleId, name: 'Many', revision: 1, cron: null, timezone: 'UTC', tasks },
        intervalMinutes: 60,
        anchoredAt: new Date(due.getTime() - 3_600_000).toISOString(),
        from: due.toISOString(),
      },
    ],
  }
  return JSON.stringify(content)
}

test('an agent that is killed while it runs a schedule goes on with it and repeats nothing', {
  timeout: 3_600_000,
}, async () => {
  fleet.setDesired({ serverId, run: 1, install: 1, power: 2, containerSpec: specText() })
  start()
  await fleet.state(serverId, 'running')
  let killedWithin = 0
  for (let round = 0; round < lengthOf('LODGE_ALONE_KILLS'); round += 1) {
    const scheduleId = randomUUID()
    const due = new Date(Date.now() + 1_500)
    const schedules = document(scheduleId, due, round)
    await fleet.settled(fleet.setDesired({ serverId, schedules }))
    await fleet.vanish()
    const mine = () => heard().filter((line) => line.startsWith(`round ${round} `)).length
    const enough = drawn(0, COMMANDS - 5)
    await vi.waitFor(() => expect(mine()).toBeGreaterThan(enough), { timeout: 30_000, interval: 3 })
    await kill()
    if (mine() < COMMANDS) killedWithin += 1
    await fleet.listen()
    start()
    const told = () => fleet.runs.findLast((run) => run.scheduleId === scheduleId)
    await fleet.state(serverId, 'running')
    const run = await fleet.until('the run has ended', () => {
      const run = told()
      return run?.endedAt ? run : undefined
    })
    const lines = heard()
    const counts = Array.from(
      { length: COMMANDS },
      (_, at) => lines.filter((one) => one === `round ${round} command ${at}`).length,
    )
    expect(Math.max(...counts)).toBeLessThanOrEqual(1)
    for (const [at, { state, detail }] of run.results.entries()) {
      if (state === 'done') expect(counts[at]).toBe(1)
      else if (!detail?.startsWith('It is not known')) expect(counts[at]).toBe(0)
    }
  }
  expect(killedWithin).toBeGreaterThan(0)
})
