import { randomUUID } from 'node:crypto'
import { DriverError } from '@lodge/driver/driver.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AgentRig, specText } from './testing/agent.rig.ts'

const policy = { mode: 'on-failure', maxRestarts: 2, windowMinutes: 10, backoffSeconds: [0, 1] }

describe('the agent', () => {
  let rig: AgentRig
  let serverId: string

  beforeEach(async () => {
    rig = await AgentRig.open()
    serverId = randomUUID()
  })
  afterEach(() => rig.close())

  /** A server that is installed and running. */
  async function running(change: Record<string, unknown> = {}) {
    const wish = rig.fleet.wish({
      serverId,
      run: 1,
      install: 1,
      power: 2,
      crashPolicy: policy,
      containerSpec: specText(change),
    })
    await rig.start()
    expect((await rig.fleet.settled(wish)).failure).toBeUndefined()
    await rig.fleet.state(serverId, 'running')
    return wish
  }

  it('says who it is, installs, starts and tells of the proof of life', async () => {
    const wish = await running()
    expect(rig.fleet.hellos[0]).toMatchObject({
      bootId: 'first-boot',
      drivers: [{ kind: 'fake', healthy: true }],
    })
    expect(rig.fleet.hellos[0]?.preflight.map((check) => check.id)).toContain('docker')
    expect(rig.fleet.observed.get(serverId)).toMatchObject({
      settledGeneration: wish.generation,
      run: 1,
      installed: 1,
      diskLimit: 'measured',
    })
    await rig.fleet.event(serverId, 'installed')
    await rig.fleet.event(serverId, 'started')
  })

  it('stops as wished and starts again with a new run', async () => {
    await running()
    const off = rig.fleet.wish({ serverId, power: 1 })
    expect(await rig.fleet.settled(off)).toMatchObject({
      state: 'stopped',
      lastExit: { signal: 'SIGTERM' },
    })
    await rig.fleet.event(serverId, 'stopped')
    const on = rig.fleet.wish({ serverId, power: 2, run: 2 })
    expect(await rig.fleet.settled(on)).toMatchObject({ state: 'running', run: 2 })
  })

  it('restarts on a newer run and leaves an equal one alone', async () => {
    await running()
    const same = rig.fleet.wish({ serverId })
    await rig.fleet.settled(same)
    expect(rig.fleet.events.filter((event) => event.kind === 'stopped')).toEqual([])
    const newer = rig.fleet.wish({ serverId, run: 2 })
    expect(await rig.fleet.settled(newer)).toMatchObject({ state: 'running', run: 2 })
    await rig.fleet.event(serverId, 'stopped')
  })

  it('restarts a crashed server as its policy says and then gives up', async () => {
    await running()
    rig.driver.crash(serverId, { code: 3 })
    const first = await rig.fleet.event(serverId, 'crashed')
    expect(first).toMatchObject({
      exit: { code: 3 },
      restartAttempt: 1,
      restartOf: 2,
      lastLines: ['ready'],
    })
    expect(first.reason).toBe(
      'The server ended with exit code 3; restart 1 of 2 within 10 minutes in 0 s',
    )
    await rig.fleet.event(serverId, 'restarted')
    rig.driver.crash(serverId, { code: 137, signal: 'SIGKILL', outOfMemory: true })
    expect((await rig.fleet.event(serverId, 'crashed', 2)).exit?.outOfMemory).toBe(true)
    await rig.fleet.until(
      'a restart is announced',
      () => rig.fleet.observed.get(serverId)?.restartAt,
    )
    await rig.fleet.event(serverId, 'restarted', 2)
    rig.driver.crash(serverId)
    await rig.fleet.event(serverId, 'gave_up')
    expect(await rig.fleet.state(serverId, 'crashed')).toMatchObject({ restartAt: undefined })
    const again = rig.fleet.wish({ serverId, run: 2 })
    expect(await rig.fleet.settled(again)).toMatchObject({ state: 'running' })
  })

  it('tells once that the disk of a server is full, and again when it was not for a while', async () => {
    await running()
    const measurements = () =>
      rig.fleet.said.filter(
        (said) => said.$case === 'report' && said.value.content?.$case === 'metrics',
      ).length
    // The next one may have been begun before.
    const measuredAgain = async () => {
      const before = measurements()
      await rig.fleet.until('two more measurements', () => measurements() > before + 1)
    }
    rig.driver.knobs.diskBytes = 64 * 1024 * 1024 - 4096
    expect(await rig.fleet.event(serverId, 'disk_full')).toMatchObject({
      reason: "The 64 MiB of the server's disk are used up. Delete files or give it more",
    })
    await measuredAgain()
    rig.driver.knobs.diskBytes = 1024
    await measuredAgain()
    rig.driver.knobs.diskBytes = 64 * 1024 * 1024
    await rig.fleet.event(serverId, 'disk_full', 2)
    await measuredAgain()
    expect(rig.fleet.events.filter(({ kind }) => kind === 'disk_full')).toHaveLength(2)
  })

  it('kills a server that does not come up in time and says so', async () => {
    const wish = rig.fleet.wish({
      serverId,
      run: 1,
      power: 2,
      containerSpec: specText({
        proofOfLife: { patterns: [{ kind: 'regex', value: '^never$' }], timeoutSeconds: 1 },
      }),
    })
    await rig.start()
    expect(await rig.fleet.settled(wish)).toMatchObject({
      state: 'crashed',
      failure: { code: 'start_timeout' },
      restartAt: undefined,
    })
    await rig.fleet.event(serverId, 'start_failed')
  })

  it('kills a deaf server at once, in the middle of a polite end', async () => {
    await running({
      command: ['fake', '{"kind":"deaf"}'],
      stop: [{ kind: 'signal', signal: 'SIGTERM', timeoutSeconds: 600 }],
    })
    rig.fleet.wish({ serverId, power: 1 })
    await rig.fleet.state(serverId, 'stopping')
    const kill = rig.fleet.wish({ serverId, ending: 2 })
    expect(await rig.fleet.settled(kill)).toMatchObject({
      state: 'stopped',
      lastExit: { signal: 'SIGKILL' },
    })
    await rig.fleet.event(serverId, 'killed')
  })

  it('cancels an installation when the server is killed, and installs anew when asked to', async () => {
    rig.driver.knobs.installDelayMs = 600_000
    const install = {
      image: { kind: 'registry', reference: 'x' },
      interpreter: ['fake'],
      script: '{"kind":"exit","code":0}',
      environment: {},
    }
    const text = specText({ install })
    rig.fleet.wish({ serverId, install: 1, power: 1, containerSpec: text })
    await rig.start()
    await rig.fleet.state(serverId, 'installing')
    const kill = rig.fleet.wish({ serverId, ending: 2 })
    expect(await rig.fleet.settled(kill)).toMatchObject({
      state: 'stopped',
      installFailed: true,
      failure: undefined,
    })
    rig.driver.knobs.installDelayMs = 0
    const again = rig.fleet.wish({ serverId, install: 2, ending: 1 })
    expect(await rig.fleet.settled(again)).toMatchObject({
      installed: 2,
      installFailed: false,
      failure: undefined,
    })
  })

  it('reports an installer that failed and does not start the server', async () => {
    const install = {
      image: { kind: 'registry', reference: 'x' },
      interpreter: ['fake'],
      script: '{"kind":"exit","code":4}',
      environment: {},
    }
    const wish = rig.fleet.wish({
      serverId,
      install: 1,
      run: 1,
      power: 2,
      containerSpec: specText({ install }),
    })
    await rig.start()
    expect(await rig.fleet.settled(wish)).toMatchObject({
      state: 'stopped',
      installFailed: true,
      failure: { code: 'install_failed' },
    })
    await rig.fleet.event(serverId, 'install_failed')
  })

  it('removes a running server with its data', async () => {
    await running()
    const gone = rig.fleet.wish({ serverId, removed: true, power: 1 })
    expect(await rig.fleet.settled(gone)).toMatchObject({ state: 'absent' })
    expect(rig.driver.runtime.servers.has(serverId)).toBe(false)
  })

  it('makes a workload again that was removed outside', async () => {
    await running()
    rig.driver.lose(serverId)
    await rig.fleet.event(serverId, 'removed_outside')
    await rig.fleet.event(serverId, 'started', 2)
    expect(rig.driver.runtime.servers.get(serverId)?.workload?.running).toBe(true)
  })

  it('is replaced by a new agent without a needless restart, and hears of a crash meanwhile', async () => {
    await running()
    const startedAt = rig.driver.runtime.servers.get(serverId)?.workload?.startedAt
    await rig.stop()
    await rig.start()
    await rig.fleet.until('another inventory', () => rig.fleet.inventories.length >= 2)
    await rig.fleet.state(serverId, 'running')
    expect(rig.driver.runtime.servers.get(serverId)?.workload?.startedAt).toBe(startedAt)
    await rig.stop()
    rig.driver.crash(serverId, { code: 2 })
    await rig.start()
    expect(await rig.fleet.event(serverId, 'crashed')).toMatchObject({ exit: { code: 2 } })
    await rig.fleet.event(serverId, 'restarted')
  })

  it('goes on without the control plane and delivers everything once it is back, once and in order', async () => {
    await running()
    await rig.fleet.vanish()
    rig.driver.crash(serverId, { code: 5 })
    await rig.fleet.listen()
    await rig.fleet.event(serverId, 'crashed')
    await rig.fleet.event(serverId, 'restarted')
    expect(rig.fleet.applied).toEqual([...new Set(rig.fleet.applied)].toSorted((a, b) => a - b))
  })

  it('waits for the word of the control plane after a reboot', async () => {
    await running()
    await rig.stop()
    await rig.fleet.vanish()
    rig.driver.runtime.endBySignal(serverId, 'SIGKILL')
    await rig.start({ bootId: 'second-boot' })
    await rig.agent?.servers.recovered
    expect(rig.driver.runtime.servers.get(serverId)?.workload?.running).toBe(false)
    await rig.fleet.listen()
    await rig.fleet.event(serverId, 'started', 2)
    expect(rig.fleet.events.filter((event) => event.kind === 'crashed')).toEqual([])
  })

  it('stops what nobody wishes here and keeps its data', async () => {
    await running()
    rig.fleet.wishes.clear()
    rig.fleet.send({ $case: 'desiredEnd', value: {} })
    await rig.fleet.state(serverId, 'stopped')
    expect(rig.driver.runtime.servers.has(serverId)).toBe(true)
  })

  it('ignores an older generation', async () => {
    const wish = await running()
    rig.fleet.send({
      $case: 'desiredServer',
      value: { ...wish, generation: wish.generation - 1, power: 1 },
    })
    const newer = rig.fleet.wish({ serverId })
    expect(await rig.fleet.settled(newer)).toMatchObject({ state: 'running' })
    expect(rig.fleet.events.filter((event) => event.kind === 'stopped')).toEqual([])
  })

  it('says truthfully whether a change needs a restart', async () => {
    await running()
    const live = rig.fleet.wish({
      serverId,
      containerSpec: specText({ limits: { memoryMb: 128, cpuPercent: 50, diskMb: 64 } }),
    })
    expect(await rig.fleet.settled(live)).toMatchObject({ restartRequired: false })
    const fixed = rig.fleet.wish({ serverId, containerSpec: specText({ environment: { A: 'b' } }) })
    expect(await rig.fleet.settled(fixed)).toMatchObject({
      restartRequired: true,
      state: 'running',
    })
    const restart = rig.fleet.wish({ serverId, run: 2 })
    expect(await rig.fleet.settled(restart)).toMatchObject({
      restartRequired: false,
      state: 'running',
    })
  })

  it('waits for an engine that is away and goes on when it is back', async () => {
    await running()
    rig.driver.dropRuntime()
    const restart = rig.fleet.wish({ serverId, run: 2, ending: 2 })
    await rig.fleet.state(serverId, 'stopping')
    rig.driver.restoreRuntime()
    expect(await rig.fleet.settled(restart)).toMatchObject({ state: 'running', run: 2 })
  })

  it('hears of an end that its engine told nobody while it was away', async () => {
    await running({
      command: ['fake', '{"kind":"deaf"}'],
      stop: [{ kind: 'signal', signal: 'SIGTERM', timeoutSeconds: 600 }],
    })
    const off = rig.fleet.wish({ serverId, power: 1 })
    await rig.fleet.state(serverId, 'stopping')
    rig.driver.dropRuntime()
    rig.driver.crash(serverId, { code: 7 })
    rig.driver.restoreRuntime()
    expect(await rig.fleet.settled(off)).toMatchObject({ state: 'stopped', lastExit: { code: 7 } })
  })

  it('asks politely for an end also when its engine was away just then', async () => {
    await running()
    rig.driver.dropRuntime()
    const off = rig.fleet.wish({ serverId, power: 1 })
    await rig.fleet.state(serverId, 'stopping')
    rig.driver.restoreRuntime()
    expect(await rig.fleet.settled(off)).toMatchObject({ lastExit: { signal: 'SIGTERM' } })
    await rig.fleet.event(serverId, 'stopped')
  })

  it('takes a sign of life that came while its start seemed to have failed', async () => {
    const { start } = rig.driver
    let tries = 0
    rig.driver.start = async (...given) => {
      tries += 1
      await start(...given)
      if (tries > 1) return
      await vi.waitFor(async () =>
        expect(await rig.driver.console.tail(serverId, 9, 'run')).toContain('ready'),
      )
      throw new DriverError('runtime_unavailable', 'The engine went away.', { retryable: true })
    }
    await running()
    expect(tries).toBe(2)
  })

  it('answers a task once, however often it is asked', async () => {
    await running({ command: ['fake', '{"kind":"echo"}'] })
    const task = {
      taskId: randomUUID(),
      serverId,
      timeout: undefined,
      work: { $case: 'sendCommand' as const, value: { text: 'say hi\nstop' } },
    }
    const answers = () => rig.fleet.said.filter((said) => said.$case === 'taskResult')
    rig.fleet.send({ $case: 'task', value: task })
    await rig.fleet.until('an answer', () => answers().length === 1)
    rig.fleet.send({ $case: 'task', value: task })
    await rig.fleet.until('the same answer', () => answers().length === 2)
    expect(rig.driver.inputs(serverId)).toEqual(['say histop'])
    rig.fleet.send({ $case: 'task', value: { ...task, taskId: randomUUID(), work: undefined } })
    await rig.fleet.until('a refusal', () => answers().length === 3)
    expect(answers()[2]).toMatchObject({ value: { outcome: { value: { code: 'unsupported' } } } })
  })
})
