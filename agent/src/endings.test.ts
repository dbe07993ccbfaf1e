import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AgentRig, specText } from './testing/agent.rig.ts'

const policy = { mode: 'on-failure', maxRestarts: 2, windowMinutes: 10, backoffSeconds: [0, 1] }

describe('the end of a server', () => {
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

  it('says of a stop that it had to kill', async () => {
    await running({
      command: ['fake', '{"kind":"deaf"}'],
      stop: [{ kind: 'signal', signal: 'SIGTERM', timeoutSeconds: 1 }],
    })
    const off = rig.fleet.wish({ serverId, power: 1 })
    await rig.fleet.settled(off)
    expect((await rig.fleet.event(serverId, 'killed')).reason).toBe(
      'Stopped as wished, but it did not end within 1 s of being asked and was killed. The server was ended by SIGKILL',
    )
    const told = () =>
      rig.fleet.said.flatMap((said) =>
        said.$case === 'serverProgress' && said.value.step === 'stop' ? [said.value.detail] : [],
      )
    await rig.fleet.until('the stop job is told', () => told().length > 0)
    expect(told()).toEqual(['It did not end within 1 s of being asked and was killed'])
  })

  it('tells of a program that is done that it ended, not that it crashed', async () => {
    await running()
    rig.driver.crash(serverId, { code: 0 })
    expect((await rig.fleet.event(serverId, 'ended')).reason).toBe(
      'The server ended with exit code 0, which is no failure; it is restarted on failure only',
    )
    expect(await rig.fleet.state(serverId, 'crashed')).toMatchObject({
      lastExit: { code: 0 },
      failure: undefined,
      restartAt: undefined,
    })
    expect(rig.fleet.events.map(({ kind }) => kind)).not.toContain('crashed')
  })

  it('dates a crash by its exit, also one that it finds only when it comes back', async () => {
    await running()
    rig.driver.crash(serverId, { code: 3 })
    const seen = await rig.fleet.event(serverId, 'crashed')
    expect(seen.at).toEqual(seen.exit?.at)
    await rig.fleet.event(serverId, 'restarted')
    await rig.stop()
    rig.driver.crash(serverId, { code: 4 })
    await rig.start()
    const found = await rig.fleet.event(serverId, 'crashed', 2)
    expect(found.exit?.code).toBe(4)
    expect(found.at).toEqual(found.exit?.at)
  })
})
