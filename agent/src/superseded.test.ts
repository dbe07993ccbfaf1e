import { randomUUID } from 'node:crypto'
import { DriverError } from '@lodge/driver/driver.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AgentFixture, specText } from './testing/agent.fixture.ts'

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
  const alone = () => expect.poll(() => fixture.agent?.schedules.solitude.isAlone).toBe(true)

  /** Has the agent do this, and returns the id of the task. */
  function task(document: object): string {
    const taskId = randomUUID()
    const work = {
      $case: 'backupWork' as const,
      value: { document: JSON.stringify(document) },
    }
    const value = { taskId, serverId, timeout: { seconds: 20, nanos: 0 }, work }
    fixture.fleet.send({ $case: 'task', value })
    return taskId
  }
  async function ended(taskId: string): Promise<string> {
    const outcome = await fixture.fleet.until('the task has ended', () => {
      const said = fixture.fleet.said.find(
        (one) => one.$case === 'taskResult' && one.value.taskId === taskId,
      )
      return said?.$case === 'taskResult' && said.value.outcome
    })
    return outcome.$case
  }

  it('starts them after a reboot only once the control plane cannot be asked', async () => {
    await fixture.running()
    await lose()
    await reboot()
    await fixture.agent?.servers.recovered
    expect(running()).toBe(false)
    await expect.poll(running).toBe(true)
  })

  it('does not start what the control plane no longer wants here', async () => {
    await fixture.running()
    await lose()
    fixture.fleet.desiredStates.clear()
    await fixture.fleet.listen()
    await reboot()
    await expect.poll(() => fixture.agent?.isConnected()).toBe(true)
    await fixture.fleet.state(serverId, 'stopped')
    await fixture.fleet.vanish()
    await alone()
    expect(running()).toBe(false)
  })

  it('starts a server on the port of one that has to end first, but reports a foreign program', async () => {
    const ports = [
      { hostAddress: '0.0.0.0', hostPort: 28_001, containerPort: 80, protocol: 'tcp' as const },
    ]
    const stop = [{ kind: 'signal', signal: 'SIGTERM', timeoutSeconds: 600 }]
    const command = ['fake', '{"kind":"deaf"}']
    const { crashPolicy } = await fixture.running({ ports, stop, command })
    await fixture.fleet.vanish()
    // Moved meanwhile, and its port was given to another one.
    fixture.fleet.desiredStates.clear()
    const next = randomUUID()
    const wanted = {
      run: 1,
      install: 1,
      power: 2 as const,
      crashPolicy,
      containerSpec: specText({ ports }),
    }
    fixture.fleet.setDesired({ serverId: next, ...wanted })
    const { driver } = fixture
    const start = driver.start.bind(driver)
    const refused = Promise.withResolvers<unknown>()
    driver.start = (...given) =>
      start(...given).catch((error: unknown) => {
        refused.resolve(error)
        throw error
      })
    await fixture.fleet.listen()
    expect(await refused.promise).toMatchObject({ code: 'port_in_use' })
    driver.runtime.endBySignal(serverId, 'SIGKILL')
    await fixture.fleet.state(next, 'running')
    expect(fixture.fleet.events.map(({ kind }) => kind)).not.toContain('start_failed')

    const third = randomUUID()
    const detail = 'Port 28001 is in use on this machine.'
    driver.knobs.startError = new DriverError('port_in_use', detail, { retryable: true })
    const containerSpec = specText({ ports: [{ ...ports[0], hostPort: 28_002 }] })
    fixture.fleet.setDesired({ serverId: third, ...wanted, containerSpec })
    const { failure } = await fixture.fleet.state(third, 'crashed')
    expect(failure).toMatchObject({ code: 'port_in_use', detail })
  })

  it('stops a superseded copy, keeps its files, and never starts it again by itself', async () => {
    const desired = await fixture.running()
    fixture.fleet.desiredStates.clear()
    expect(await ended(task({ do: 'supersede', placementGeneration: 1 }))).toBe('done')
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

  it('makes a place for a server that comes back only once its former one is removed', async () => {
    const { containerSpec } = await fixture.running()
    fixture.fleet.desiredStates.clear()
    expect(await ended(task({ do: 'supersede', placementGeneration: 1 }))).toBe('done')
    const held = Promise.withResolvers<void>()
    const order: string[] = []
    const { driver } = fixture
    const [remove, apply] = [driver.remove.bind(driver), driver.apply.bind(driver)]
    driver.remove = async (...given) => {
      await held.promise
      await remove(...given)
      order.push('removed')
    }
    driver.apply = (...given) => {
      order.push('made')
      return apply(...given)
    }
    const discarding = task({ do: 'discard', placementGeneration: 1 })
    await expect.poll(() => running()).toBe(false)
    const making = task({
      do: 'make-place',
      placementGeneration: 2,
      spec: JSON.parse(containerSpec),
    })
    // Both are under way once the agent has answered something that it was asked after them.
    const later = task({ do: 'adopt', placementGeneration: 0 })
    await ended(later)
    held.resolve()
    expect([await ended(discarding), await ended(making)]).toEqual(['done', 'done'])
    expect(order).toEqual(['removed', 'made'])
    expect(driver.runtime.servers.has(serverId)).toBe(true)
  })
})
