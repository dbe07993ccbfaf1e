import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AgentFixture } from './testing/agent.fixture.ts'

const ALONE_MS = 300

describe('a node whose servers may be elsewhere by now', () => {
  let fixture: AgentFixture
  let serverId: string

  beforeEach(async () => {
    fixture = await AgentFixture.open()
    serverId = fixture.serverId
  })
  afterEach(() => fixture.close())

  const running = () => fixture.driver.runtime.servers.get(serverId)?.workload?.running ?? false

  /** As when the machine loses its power. */
  async function lose(): Promise<void> {
    await fixture.stop()
    await fixture.fleet.vanish()
    fixture.driver.runtime.endBySignal(serverId, 'SIGKILL')
  }
  const reboot = () =>
    fixture.start({ bootId: 'second-boot', offlineStart: true, aloneAfterMs: ALONE_MS })

  /** The control plane has been away for so long that the node acts by itself. */
  const alone = () =>
    expect.poll(() => fixture.agent?.schedules.solitude.isAlone, { timeout: 5_000 }).toBe(true)

  it('starts them after a reboot only once the control plane cannot be asked', async () => {
    await fixture.running()
    await lose()
    await reboot()
    await fixture.agent?.servers.recovered
    expect(running()).toBe(false)
    await expect.poll(running, { timeout: 5_000 }).toBe(true)
  })

  it('does not start what the control plane no longer wants here', async () => {
    await fixture.running()
    await lose()
    fixture.fleet.desiredStates.clear()
    await fixture.fleet.listen()
    await reboot()
    await expect.poll(() => fixture.agent?.isConnected(), { timeout: 5_000 }).toBe(true)
    await fixture.fleet.state(serverId, 'stopped')
    await fixture.fleet.vanish()
    await alone()
    expect(running()).toBe(false)
  })

  it('stops a superseded copy, keeps its files, and never starts it again by itself', async () => {
    const desired = await fixture.running()
    fixture.fleet.desiredStates.clear()
    const document = JSON.stringify({ do: 'supersede', placementGeneration: 1 })
    const work = { $case: 'backupWork' as const, value: { document } }
    const taskId = randomUUID()
    const value = { taskId, serverId, timeout: { seconds: 20, nanos: 0 }, work }
    fixture.fleet.send({ $case: 'task', value })
    const outcome = await fixture.fleet.until('the task is done', () => {
      const said = fixture.fleet.said.find(
        (one) => one.$case === 'taskResult' && one.value.taskId === taskId,
      )
      return said?.$case === 'taskResult' && said.value.outcome
    })
    expect(outcome.$case).toBe('done')
    expect(running()).toBe(false)
    expect(fixture.driver.runtime.servers.has(serverId)).toBe(true)
    // Nor by a desired state that was on its way.
    fixture.fleet.send({
      $case: 'desiredServer',
      value: { ...desired, generation: desired.generation + 5, power: 2 },
    })
    await lose()
    await reboot()
    await alone()
    await fixture.agent?.servers.recovered
    expect(running()).toBe(false)
  })
})
