import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AgentFixture } from './testing/agent.fixture.ts'

describe('the end of a server', () => {
  let fixture: AgentFixture
  let serverId: string

  beforeEach(async () => {
    fixture = await AgentFixture.open()
    serverId = fixture.serverId
  })
  afterEach(() => fixture.close())

  it('reports when a stop ended in a kill', async () => {
    await fixture.running({
      command: ['fake', '{"kind":"deaf"}'],
      stop: [{ kind: 'signal', signal: 'SIGTERM', timeoutSeconds: 1 }],
    })
    const off = fixture.fleet.setDesired({ serverId, power: 1 })
    await fixture.fleet.settled(off)
    expect((await fixture.fleet.event(serverId, 'killed')).reason).toBe(
      'Stopped on request, but it did not end within 1 s of being asked and was killed. The server was killed by SIGKILL',
    )
    const told = () =>
      fixture.fleet.said.flatMap((said) =>
        said.$case === 'serverProgress' && said.value.step === 'stop' ? [said.value.detail] : [],
      )
    await fixture.fleet.until('the stop job is told', () => told().length > 0)
    expect(told()).toEqual(['It did not end within 1 s of being asked and was killed'])
  })

  it('reports a program that exits cleanly as ended, not crashed', async () => {
    await fixture.running()
    fixture.driver.crash(serverId, { code: 0 })
    expect((await fixture.fleet.event(serverId, 'ended')).reason).toBe(
      'The server ended with exit code 0, which is no failure; it is restarted on failure only',
    )
    expect(await fixture.fleet.state(serverId, 'crashed')).toMatchObject({
      lastExit: { code: 0 },
      failure: undefined,
      restartAt: undefined,
    })
    expect(fixture.fleet.events.map(({ kind }) => kind)).not.toContain('crashed')
  })

  it('dates a crash by its exit, even one discovered only after a restart of the agent', async () => {
    await fixture.running()
    fixture.driver.crash(serverId, { code: 3 })
    const seen = await fixture.fleet.event(serverId, 'crashed')
    expect(seen.at).toEqual(seen.exit?.at)
    await fixture.fleet.event(serverId, 'restarted')
    await fixture.stop()
    fixture.driver.crash(serverId, { code: 4 })
    await fixture.start()
    const found = await fixture.fleet.event(serverId, 'crashed', 2)
    expect(found.exit?.code).toBe(4)
    expect(found.at).toEqual(found.exit?.at)
  })
})
