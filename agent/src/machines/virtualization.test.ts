import { FIT } from '@lodge/driver-fake/machines.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { machineChecks } from '../preflight/machine-checks.ts'
import { AgentRig } from '../testing/agent.rig.ts'
import { virtualizationKeeper } from './virtualization.ts'

describe('what a node can do for machines', () => {
  let rig: AgentRig
  beforeEach(async () => {
    rig = await AgentRig.open()
  })
  afterEach(() => rig.close())

  /** Documents that the agent has sent with its heartbeats. */
  const told = () =>
    rig.fleet.said.flatMap((said) =>
      said.$case === 'heartbeat' && said.value.virtualization ? [said.value.virtualization] : [],
    )

  it('is found out anew as soon as its engine comes or goes', async () => {
    rig.driver.runtime.drop()
    rig.driver.knobs.virtualization = { ...FIT, available: false, why: 'libvirt does not answer' }
    await rig.start()
    await rig.fleet.until('the first report', () => told().at(-1)?.includes('does not answer'))
    rig.driver.knobs.virtualization = FIT
    rig.driver.runtime.restore()
    await rig.fleet.until('the next report', () => told().at(-1)?.includes('"available":true'))
    rig.driver.knobs.virtualization = { ...FIT, available: false, why: 'It went away' }
    rig.driver.runtime.drop()
    await rig.fleet.until('the last report', () => told().at(-1)?.includes('It went away'))
  })

  it('is looked at again by whoever asks while somebody looks', async () => {
    const { machines } = rig.driver
    let version = 'before'
    const held = Promise.withResolvers<void>()
    const keeper = virtualizationKeeper({
      ...machines,
      async report() {
        const qemuVersion = version
        await held.promise
        return { ...FIT, qemuVersion }
      },
    })
    const first = keeper.run()
    version = 'after'
    const second = keeper.run()
    held.resolve()
    expect(await first).toContain('"qemuVersion":"before"')
    expect(await second).toContain('"qemuVersion":"after"')
    expect(keeper.found()?.qemuVersion).toBe('after')
  })

  it('is told in the same words by both reports', () => {
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
