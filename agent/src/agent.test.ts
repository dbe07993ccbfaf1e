import { randomUUID } from 'node:crypto'
import { DriverError } from '@lodge/driver/driver.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AgentFixture, specText } from './testing/agent.fixture.ts'

describe('the agent', () => {
  let fixture: AgentFixture
  let serverId: string

  beforeEach(async () => {
    fixture = await AgentFixture.open()
    serverId = fixture.serverId
  })
  afterEach(() => fixture.close())

  it('introduces itself, installs a server, starts it and reports when it is ready', async () => {
    const desired = await fixture.running()
    expect(fixture.fleet.hellos[0]).toMatchObject({
      bootId: 'first-boot',
      drivers: [{ kind: 'fake', healthy: true }],
    })
    expect(fixture.fleet.hellos[0]?.preflight.map((check) => check.id)).toContain('docker')
    expect(fixture.fleet.observed.get(serverId)).toMatchObject({
      settledGeneration: desired.generation,
      run: 1,
      installed: 1,
      diskLimit: 'measured',
    })
    await fixture.fleet.event(serverId, 'installed')
    await fixture.fleet.event(serverId, 'started')
  })

  it('stops a server as desired and starts it again for a new run', async () => {
    await fixture.running()
    const off = fixture.fleet.setDesired({ serverId, power: 1 })
    expect(await fixture.fleet.settled(off)).toMatchObject({
      state: 'stopped',
      lastExit: { signal: 'SIGTERM' },
    })
    await fixture.fleet.event(serverId, 'stopped')
    const on = fixture.fleet.setDesired({ serverId, power: 2, run: 2 })
    expect(await fixture.fleet.settled(on)).toMatchObject({ state: 'running', run: 2 })
  })

  it('restarts a server for a newer run but not for the same one', async () => {
    await fixture.running()
    const same = fixture.fleet.setDesired({ serverId })
    await fixture.fleet.settled(same)
    expect(fixture.fleet.events.filter((event) => event.kind === 'stopped')).toEqual([])
    const newer = fixture.fleet.setDesired({ serverId, run: 2 })
    expect(await fixture.fleet.settled(newer)).toMatchObject({ state: 'running', run: 2 })
    await fixture.fleet.event(serverId, 'stopped')
  })

  it('restarts a crashed server as its policy allows, then gives up', async () => {
    await fixture.running()
    fixture.driver.crash(serverId, { code: 3 })
    const first = await fixture.fleet.event(serverId, 'crashed')
    expect(first).toMatchObject({
      exit: { code: 3 },
      restartAttempt: 1,
      restartOf: 2,
      lastLines: ['ready'],
    })
    expect(first.reason).toBe(
      'The server ended with exit code 3; restart 1 of 2 within 10 minutes in 0 s',
    )
    await fixture.fleet.event(serverId, 'restarted')
    fixture.driver.crash(serverId, { code: 137, signal: 'SIGKILL', outOfMemory: true })
    expect((await fixture.fleet.event(serverId, 'crashed', 2)).exit?.outOfMemory).toBe(true)
    await fixture.fleet.until(
      'the restart is reported',
      () => fixture.fleet.observed.get(serverId)?.restartAt,
    )
    await fixture.fleet.event(serverId, 'restarted', 2)
    fixture.driver.crash(serverId)
    await fixture.fleet.event(serverId, 'gave_up')
    expect(await fixture.fleet.state(serverId, 'crashed')).toMatchObject({ restartAt: undefined })
    const again = fixture.fleet.setDesired({ serverId, run: 2 })
    expect(await fixture.fleet.settled(again)).toMatchObject({ state: 'running' })
  })

  it('reports a full server disk once, and again only after space was freed in between', async () => {
    await fixture.running()
    const measurements = () =>
      fixture.fleet.said.filter(
        (said) => said.$case === 'report' && said.value.content?.$case === 'metrics',
      ).length
    // The next attempt may already have begun.
    const measuredAgain = async () => {
      const before = measurements()
      await fixture.fleet.until('two more measurements', () => measurements() > before + 1)
    }
    fixture.driver.knobs.diskBytes = 64 * 1024 * 1024 - 4096
    expect(await fixture.fleet.event(serverId, 'disk_full')).toMatchObject({
      reason: "The 64 MiB of the server's disk are used up. Delete files or give it more",
    })
    await measuredAgain()
    fixture.driver.knobs.diskBytes = 1024
    await measuredAgain()
    fixture.driver.knobs.diskBytes = 64 * 1024 * 1024
    await fixture.fleet.event(serverId, 'disk_full', 2)
    await measuredAgain()
    expect(fixture.fleet.events.filter(({ kind }) => kind === 'disk_full')).toHaveLength(2)
  })

  it('kills a server that misses its start deadline and reports it', async () => {
    const desired = fixture.fleet.setDesired({
      serverId,
      run: 1,
      power: 2,
      containerSpec: specText({
        proofOfLife: { patterns: [{ kind: 'regex', value: '^never$' }], timeoutSeconds: 1 },
      }),
    })
    await fixture.start()
    expect(await fixture.fleet.settled(desired)).toMatchObject({
      state: 'crashed',
      failure: { code: 'start_timeout' },
      restartAt: undefined,
    })
    await fixture.fleet.event(serverId, 'start_failed')
  })

  it('kills an unresponsive server at once, even during a graceful stop', async () => {
    await fixture.running({
      command: ['fake', '{"kind":"deaf"}'],
      stop: [{ kind: 'signal', signal: 'SIGTERM', timeoutSeconds: 600 }],
    })
    fixture.fleet.setDesired({ serverId, power: 1 })
    await fixture.fleet.state(serverId, 'stopping')
    const kill = fixture.fleet.setDesired({ serverId, ending: 2 })
    expect(await fixture.fleet.settled(kill)).toMatchObject({
      state: 'stopped',
      lastExit: { signal: 'SIGKILL' },
    })
    await fixture.fleet.event(serverId, 'killed')
  })

  it('cancels an installation when the server is killed, and reinstalls on request', async () => {
    fixture.driver.knobs.installDelayMs = 600_000
    const install = {
      image: { kind: 'registry', reference: 'x' },
      interpreter: ['fake'],
      script: '{"kind":"exit","code":0}',
      environment: {},
    }
    const text = specText({ install })
    fixture.fleet.setDesired({ serverId, install: 1, power: 1, containerSpec: text })
    await fixture.start()
    await fixture.fleet.state(serverId, 'installing')
    const kill = fixture.fleet.setDesired({ serverId, ending: 2 })
    expect(await fixture.fleet.settled(kill)).toMatchObject({
      state: 'stopped',
      installFailed: true,
      failure: undefined,
    })
    fixture.driver.knobs.installDelayMs = 0
    const again = fixture.fleet.setDesired({ serverId, install: 2, ending: 1 })
    expect(await fixture.fleet.settled(again)).toMatchObject({
      installed: 2,
      installFailed: false,
      failure: undefined,
    })
  })

  it('reports a failed installer and does not start the server', async () => {
    const install = {
      image: { kind: 'registry', reference: 'x' },
      interpreter: ['fake'],
      script: '{"kind":"exit","code":4}',
      environment: {},
    }
    const desired = fixture.fleet.setDesired({
      serverId,
      install: 1,
      run: 1,
      power: 2,
      containerSpec: specText({ install }),
    })
    await fixture.start()
    expect(await fixture.fleet.settled(desired)).toMatchObject({
      state: 'stopped',
      installFailed: true,
      failure: { code: 'install_failed' },
    })
    await fixture.fleet.event(serverId, 'install_failed')
  })

  it('removes a running server with its data', async () => {
    await fixture.running()
    const gone = fixture.fleet.setDesired({ serverId, removed: true, power: 1 })
    expect(await fixture.fleet.settled(gone)).toMatchObject({ state: 'absent' })
    expect(fixture.driver.runtime.servers.has(serverId)).toBe(false)
  })

  it('recreates a workload that was removed behind its back', async () => {
    await fixture.running()
    fixture.driver.lose(serverId)
    await fixture.fleet.event(serverId, 'removed_outside')
    await fixture.fleet.event(serverId, 'started', 2)
    expect(fixture.driver.runtime.servers.get(serverId)?.workload?.running).toBe(true)
  })

  it('hands over to a new agent without restarting servers, and that agent notices a crash in between', async () => {
    await fixture.running()
    const startedAt = fixture.driver.runtime.servers.get(serverId)?.workload?.startedAt
    await fixture.stop()
    await fixture.start()
    await fixture.fleet.until('another inventory', () => fixture.fleet.inventories.length >= 2)
    await fixture.fleet.state(serverId, 'running')
    expect(fixture.driver.runtime.servers.get(serverId)?.workload?.startedAt).toBe(startedAt)
    await fixture.stop()
    fixture.driver.crash(serverId, { code: 2 })
    await fixture.start()
    expect(await fixture.fleet.event(serverId, 'crashed')).toMatchObject({ exit: { code: 2 } })
    await fixture.fleet.event(serverId, 'restarted')
  })

  it('keeps working without the control plane and then delivers every report exactly once, in order', async () => {
    await fixture.running()
    await fixture.fleet.vanish()
    fixture.driver.crash(serverId, { code: 5 })
    await fixture.fleet.listen()
    await fixture.fleet.event(serverId, 'crashed')
    await fixture.fleet.event(serverId, 'restarted')
    expect(fixture.fleet.applied).toEqual(
      [...new Set(fixture.fleet.applied)].toSorted((a, b) => a - b),
    )
  })

  it('waits for the control plane to confirm desired states after a reboot', async () => {
    await fixture.running()
    await fixture.stop()
    await fixture.fleet.vanish()
    fixture.driver.runtime.endBySignal(serverId, 'SIGKILL')
    await fixture.start({ bootId: 'second-boot' })
    await fixture.agent?.servers.recovered
    expect(fixture.driver.runtime.servers.get(serverId)?.workload?.running).toBe(false)
    await fixture.fleet.listen()
    await fixture.fleet.event(serverId, 'started', 2)
    expect(fixture.fleet.events.filter((event) => event.kind === 'crashed')).toEqual([])
  })

  it('stops a server that is no longer assigned here and keeps its data', async () => {
    await fixture.running()
    fixture.fleet.desiredStates.clear()
    fixture.fleet.send({ $case: 'desiredEnd', value: {} })
    await fixture.fleet.state(serverId, 'stopped')
    expect(fixture.driver.runtime.servers.has(serverId)).toBe(true)
  })

  it('ignores an older generation', async () => {
    const desired = await fixture.running()
    fixture.fleet.send({
      $case: 'desiredServer',
      value: { ...desired, generation: desired.generation - 1, power: 1 },
    })
    const newer = fixture.fleet.setDesired({ serverId })
    expect(await fixture.fleet.settled(newer)).toMatchObject({ state: 'running' })
    expect(fixture.fleet.events.filter((event) => event.kind === 'stopped')).toEqual([])
  })

  it('reports whether a change needs a restart', async () => {
    await fixture.running()
    const live = fixture.fleet.setDesired({
      serverId,
      containerSpec: specText({ limits: { memoryMb: 128, cpuPercent: 50, diskMb: 64 } }),
    })
    expect(await fixture.fleet.settled(live)).toMatchObject({ restartRequired: false })
    const fixed = fixture.fleet.setDesired({
      serverId,
      containerSpec: specText({ environment: { A: 'b' } }),
    })
    expect(await fixture.fleet.settled(fixed)).toMatchObject({
      restartRequired: true,
      state: 'running',
    })
    const restart = fixture.fleet.setDesired({ serverId, run: 2 })
    expect(await fixture.fleet.settled(restart)).toMatchObject({
      restartRequired: false,
      state: 'running',
    })
  })

  it('waits for an unavailable engine and continues when it returns', async () => {
    await fixture.running()
    fixture.driver.dropRuntime()
    const restart = fixture.fleet.setDesired({ serverId, run: 2, ending: 2 })
    await fixture.fleet.state(serverId, 'stopping')
    fixture.driver.restoreRuntime()
    expect(await fixture.fleet.settled(restart)).toMatchObject({ state: 'running', run: 2 })
  })

  it('notices an exit that happened while its engine was unavailable', async () => {
    await fixture.running({
      command: ['fake', '{"kind":"deaf"}'],
      stop: [{ kind: 'signal', signal: 'SIGTERM', timeoutSeconds: 600 }],
    })
    const off = fixture.fleet.setDesired({ serverId, power: 1 })
    await fixture.fleet.state(serverId, 'stopping')
    fixture.driver.dropRuntime()
    fixture.driver.crash(serverId, { code: 7 })
    fixture.driver.restoreRuntime()
    expect(await fixture.fleet.settled(off)).toMatchObject({
      state: 'stopped',
      lastExit: { code: 7 },
    })
  })

  it('still stops gracefully when its engine was briefly unavailable', async () => {
    await fixture.running()
    fixture.driver.dropRuntime()
    const off = fixture.fleet.setDesired({ serverId, power: 1 })
    await fixture.fleet.state(serverId, 'stopping')
    fixture.driver.restoreRuntime()
    expect(await fixture.fleet.settled(off)).toMatchObject({ lastExit: { signal: 'SIGTERM' } })
    await fixture.fleet.event(serverId, 'stopped')
  })

  it('accepts a readiness line printed while the start seemed to have failed', async () => {
    const { start } = fixture.driver
    let tries = 0
    fixture.driver.start = async (...given) => {
      tries += 1
      await start(...given)
      if (tries > 1) return
      await vi.waitFor(async () =>
        expect(await fixture.driver.console.tail(serverId, 9, 'run')).toContain('ready'),
      )
      throw new DriverError('runtime_unavailable', 'The engine went away.', { retryable: true })
    }
    await fixture.running()
    expect(tries).toBe(2)
  })

  it('runs a task once, however often it is sent', async () => {
    await fixture.running({ command: ['fake', '{"kind":"echo"}'] })
    const task = {
      taskId: randomUUID(),
      serverId,
      timeout: undefined,
      work: { $case: 'sendCommand' as const, value: { text: 'say hi\nstop', person: '' } },
    }
    const answers = () => fixture.fleet.said.filter((said) => said.$case === 'taskResult')
    fixture.fleet.send({ $case: 'task', value: task })
    await fixture.fleet.until('an answer', () => answers().length === 1)
    fixture.fleet.send({ $case: 'task', value: task })
    await fixture.fleet.until('the same answer', () => answers().length === 2)
    expect(fixture.driver.inputs(serverId)).toEqual(['say histop'])
    fixture.fleet.send({ $case: 'task', value: { ...task, taskId: randomUUID(), work: undefined } })
    await fixture.fleet.until('a refusal', () => answers().length === 3)
    expect(answers()[2]).toMatchObject({ value: { outcome: { value: { code: 'unsupported' } } } })
  })
})
