import { FIT } from '@lodge/driver-fake/machines.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { machineChecks } from '../preflight/machine-checks.ts'
import { AgentFixture } from '../testing/agent.fixture.ts'
import { virtualizationMonitor } from './virtualization.ts'

describe('what a node can do for machines', () => {
  let fixture: AgentFixture
  beforeEach(async () => {
    fixture = await AgentFixture.open()
  })
  afterEach(() => fixture.close())

  /** Reports that the agent has sent with its heartbeats. */
  const told = () =>
    fixture.fleet.said.flatMap((said) =>
      said.$case === 'heartbeat' && said.value.virtualization ? [said.value.virtualization] : [],
    )

  it('is checked again as soon as its engine comes or goes', async () => {
    fixture.driver.runtime.drop()
    fixture.driver.knobs.virtualization = {
      ...FIT,
      available: false,
      why: 'libvirt does not answer',
    }
    await fixture.start()
    await fixture.fleet.until('the first report', () => told().at(-1)?.includes('does not answer'))
    fixture.driver.knobs.virtualization = FIT
    fixture.driver.runtime.restore()
    await fixture.fleet.until('the next report', () => told().at(-1)?.includes('"available":true'))
    fixture.driver.knobs.virtualization = { ...FIT, available: false, why: 'It went away' }
    fixture.driver.runtime.drop()
    await fixture.fleet.until('the last report', () => told().at(-1)?.includes('It went away'))
  })

  it('is checked again for a caller who arrives during a check', async () => {
    let version = 'before'
    const held = Promise.withResolvers<void>()
    const anews: boolean[] = []
    const monitor = virtualizationMonitor({
      async report(_signal, anew = false) {
        const qemuVersion = version
        anews.push(anew)
        await held.promise
        return { ...FIT, qemuVersion }
      },
    })
    const first = monitor.run()
    version = 'after'
    const second = monitor.run()
    held.resolve()
    expect(await first).toContain('"qemuVersion":"before"')
    expect(await second).toContain('"qemuVersion":"after"')
    expect(monitor.found()?.qemuVersion).toBe('after')
    expect(anews).toEqual([true, true])
  })

  it('is described identically in both reports', () => {
    const check = { id: 'kvm', state: 'warning', summary: 'No KVM', remedy: 'Mend it' } as const
    const away = { id: 'libvirt', state: 'failed', summary: 'Away', remedy: 'Start it' } as const
    const other = { id: 'tpm', state: 'failed', summary: 'No TPM', remedy: null } as const
    expect(machineChecks({ ...FIT, checks: [other, check, away] })).toEqual([
      { ...away, state: 'warning' },
      check,
    ])
    expect(machineChecks(null)).toEqual([])
  })
})
