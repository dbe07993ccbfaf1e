import { randomUUID } from 'node:crypto'
import { Ending, Power } from '@lodge/proto/server.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AgentRig } from '../testing/agent.rig.ts'
import { machineText } from '../testing/machine.rig.ts'

describe('the boot of a machine', () => {
  let rig: AgentRig
  let serverId: string
  const machineSpec = machineText()

  beforeEach(async () => {
    rig = await AgentRig.open({ output: ['ready'] })
    serverId = randomUUID()
  })
  afterEach(() => rig.close())

  const wish = (change = {}) =>
    rig.fleet.wish({
      serverId,
      run: 1,
      install: 1,
      power: Power.ON,
      machineSpec,
      placementGeneration: 3,
      crashPolicy: { mode: 'on-failure', maxRestarts: 3, windowMinutes: 10, backoffSeconds: [0] },
      ...change,
    })
  const waiting = (words: string) =>
    rig.fleet.until(words, () => {
      const seen = rig.fleet.observed.get(serverId)
      return seen?.bootWaitsFor?.includes(words) ? seen : undefined
    })

  it('is asked for each time: a start, a restart after a crash, a newer run', async () => {
    const first = wish()
    await rig.start()
    expect(await rig.fleet.settled(first)).toMatchObject({ state: 'running' })
    expect(rig.fleet.bootQuestions).toHaveLength(1)
    const { pathname, searchParams } = rig.fleet.bootQuestions[0] ?? new URL('https://none')
    expect(pathname).toBe(`/api/agent/servers/${serverId}/vm-authorization`)
    expect(searchParams.get('generation')).toBe('3')
    expect(searchParams.get('epoch')).toBe('1')

    rig.driver.crash(serverId, { code: 1, cause: 'panic' })
    const crash = await rig.fleet.event(serverId, 'crashed')
    expect(crash.reason).toMatch(/^The server's system crashed \(kernel panic\); restart 1 of 3/)
    expect(crash.exit?.cause).toBe('panic')
    await rig.fleet.event(serverId, 'restarted')
    expect(rig.fleet.bootQuestions).toHaveLength(2)

    expect(await rig.fleet.settled(wish({ run: 2 }))).toMatchObject({ state: 'running' })
    const attempts = rig.fleet.bootQuestions.map((asked) => asked.searchParams.get('attempt'))
    expect(new Set(attempts).size).toBe(3)
  })

  it('that the guest makes itself needs no permit, and is written down', async () => {
    await rig.start()
    await rig.fleet.settled(wish())
    rig.driver.runtime.tell({ kind: 'rebooted', serverId, at: new Date() })
    await rig.fleet.event(serverId, 'rebooted')
    expect(rig.fleet.bootQuestions).toHaveLength(1)
    expect(rig.fleet.observed.get(serverId)).toMatchObject({ state: 'running' })
  })

  it('that powers itself off is no failure', async () => {
    await rig.start()
    await rig.fleet.settled(wish())
    rig.driver.crash(serverId, { code: 0, cause: 'shutdown' })
    const end = await rig.fleet.event(serverId, 'ended')
    expect(end.reason).toMatch(/^The server was shut down by its own system, which is no failure/)
    await rig.fleet.state(serverId, 'crashed')
    expect(rig.fleet.bootQuestions).toHaveLength(1)
  })

  it('waits while it is denied, says why, and comes as soon as it is allowed', async () => {
    rig.fleet.bootAnswer = () => ({ decision: 'deny', holds: [{ kind: 'migration' }] })
    const first = wish()
    await rig.start()
    expect(await waiting('it is being moved')).toMatchObject({ state: 'starting' })
    expect(rig.driver.runtime.servers.get(serverId)?.workload?.running).toBe(false)
    rig.fleet.bootAnswer = () => ({})
    expect(await rig.fleet.settled(first)).toMatchObject({
      state: 'running',
      bootWaitsFor: undefined,
    })
  })

  it('waits while the control plane does not answer, and a stop ends the waiting at once', async () => {
    rig.fleet.bootAnswer = () => null
    wish()
    await rig.start()
    await waiting('the control plane could not answer (503)')
    const off = wish({ power: Power.OFF, ending: Ending.KILL })
    expect(await rig.fleet.settled(off)).toMatchObject({
      state: 'stopped',
      bootWaitsFor: undefined,
    })
  })

  it('believes no answer that is late or to another question', async () => {
    const wrong = [
      { attempt: randomUUID() },
      { generation: 2 },
      { nodeEpoch: 9 },
      { serverId: randomUUID() },
      { validForMs: 0 },
      { lease: { ttlMs: 1_000 } },
    ]
    rig.fleet.bootAnswer = () => wrong[rig.fleet.bootQuestions.length - 1] ?? null
    wish()
    await rig.start()
    await waiting('answered another question')
    await rig.fleet.until('three tries', () => rig.fleet.bootQuestions.length >= 3)
    expect(rig.driver.runtime.servers.get(serverId)?.workload?.running).toBe(false)
  })

  it('waits for the control plane after a reboot of the node', async () => {
    const first = wish()
    await rig.start()
    await rig.fleet.settled(first)
    await rig.stop()
    rig.driver.runtime.endBySignal(serverId, 'SIGKILL')
    await rig.fleet.vanish()
    await rig.start({ bootId: 'second-boot', offlineStart: true })
    await expect
      .poll(() => rig.agent?.servers.find(serverId)?.bootWaitsFor, { timeout: 10_000 })
      .toMatch(/the control plane cannot be reached/)
    await rig.fleet.listen()
    await rig.fleet.state(serverId, 'running')
  }, 60_000)
})
