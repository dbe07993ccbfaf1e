import { randomUUID } from 'node:crypto'
import { Ending, Power } from '@lodge/proto/server.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AgentFixture } from '../testing/agent.fixture.ts'
import { machineText } from '../testing/machine.fixture.ts'

describe('the boot of a machine', () => {
  let fixture: AgentFixture
  let serverId: string
  const machineSpec = machineText()

  beforeEach(async () => {
    fixture = await AgentFixture.open({ output: ['ready'] })
    serverId = randomUUID()
  })
  afterEach(() => fixture.close())

  const setDesired = (change = {}) =>
    fixture.fleet.setDesired({
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
    fixture.fleet.until(words, () => {
      const seen = fixture.fleet.observed.get(serverId)
      return seen?.bootWaitsFor?.includes(words) ? seen : undefined
    })

  it('needs a permit each time: for a start, a restart after a crash and a newer run', async () => {
    const first = setDesired()
    await fixture.start()
    expect(await fixture.fleet.settled(first)).toMatchObject({ state: 'running' })
    expect(fixture.fleet.bootQuestions).toHaveLength(1)
    const { pathname, searchParams } = fixture.fleet.bootQuestions[0] ?? new URL('https://none')
    expect(pathname).toBe(`/api/agent/servers/${serverId}/vm-authorization`)
    expect(searchParams.get('generation')).toBe('3')
    expect(searchParams.get('epoch')).toBe('1')

    fixture.driver.crash(serverId, { code: 1, cause: 'panic' })
    const crash = await fixture.fleet.event(serverId, 'crashed')
    expect(crash.reason).toMatch(/^The server's system crashed \(kernel panic\); restart 1 of 3/)
    expect(crash.exit?.cause).toBe('panic')
    await fixture.fleet.event(serverId, 'restarted')
    expect(fixture.fleet.bootQuestions).toHaveLength(2)

    expect(await fixture.fleet.settled(setDesired({ run: 2 }))).toMatchObject({ state: 'running' })
    const attempts = fixture.fleet.bootQuestions.map((asked) => asked.searchParams.get('attempt'))
    expect(new Set(attempts).size).toBe(3)
  })

  it('needs no permit when the guest reboots itself, and is recorded', async () => {
    await fixture.start()
    await fixture.fleet.settled(setDesired())
    fixture.driver.runtime.tell({ kind: 'rebooted', serverId, at: new Date() })
    await fixture.fleet.event(serverId, 'rebooted')
    expect(fixture.fleet.bootQuestions).toHaveLength(1)
    expect(fixture.fleet.observed.get(serverId)).toMatchObject({ state: 'running' })
  })

  it('does not count a guest that powers itself off as a crash', async () => {
    await fixture.start()
    await fixture.fleet.settled(setDesired())
    fixture.driver.crash(serverId, { code: 0, cause: 'shutdown' })
    const end = await fixture.fleet.event(serverId, 'ended')
    expect(end.reason).toMatch(/^The server was shut down by its own system, which is no failure/)
    await fixture.fleet.state(serverId, 'crashed')
    expect(fixture.fleet.bootQuestions).toHaveLength(1)
  })

  it('waits while it is denied, reports why, and happens as soon as it is allowed', async () => {
    fixture.fleet.bootAnswer = () => ({ decision: 'deny', holds: [{ kind: 'migration' }] })
    const first = setDesired()
    await fixture.start()
    expect(await waiting('it is being moved')).toMatchObject({ state: 'starting' })
    expect(fixture.driver.runtime.servers.get(serverId)?.workload?.running).toBe(false)
    fixture.fleet.bootAnswer = () => ({})
    expect(await fixture.fleet.settled(first)).toMatchObject({
      state: 'running',
      bootWaitsFor: undefined,
    })
  })

  it('waits while the control plane does not answer, and a stop cancels the wait at once', async () => {
    fixture.fleet.bootAnswer = () => null
    setDesired()
    await fixture.start()
    await waiting('the control plane could not answer (503)')
    const off = setDesired({ power: Power.OFF, ending: Ending.KILL })
    expect(await fixture.fleet.settled(off)).toMatchObject({
      state: 'stopped',
      bootWaitsFor: undefined,
    })
  })

  it('ignores an answer that is late or belongs to another request', async () => {
    const wrong = [
      { attempt: randomUUID() },
      { generation: 2 },
      { nodeEpoch: 9 },
      { serverId: randomUUID() },
      { validForMs: 0 },
      { lease: { ttlMs: 1_000 } },
    ]
    fixture.fleet.bootAnswer = () => wrong[fixture.fleet.bootQuestions.length - 1] ?? null
    setDesired()
    await fixture.start()
    await waiting('answered another question')
    await fixture.fleet.until('three tries', () => fixture.fleet.bootQuestions.length >= 3)
    expect(fixture.driver.runtime.servers.get(serverId)?.workload?.running).toBe(false)
  })

  it('waits for the control plane after a reboot of the node', async () => {
    const first = setDesired()
    await fixture.start()
    await fixture.fleet.settled(first)
    await fixture.stop()
    fixture.driver.runtime.endBySignal(serverId, 'SIGKILL')
    await fixture.fleet.vanish()
    await fixture.start({ bootId: 'second-boot', offlineStart: true, aloneAfterMs: 100 })
    await expect
      .poll(() => fixture.agent?.servers.find(serverId)?.bootWaitsFor)
      .toMatch(/the control plane cannot be reached/)
    await fixture.fleet.listen()
    await fixture.fleet.state(serverId, 'running')
  })
})
