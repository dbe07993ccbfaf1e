import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { DriverError } from '@lodge/driver/driver.ts'
import { fakeDriver } from '@lodge/driver-fake/fake.ts'
import { containersOnly, without } from '@lodge/driver-fake/lacking.ts'
import { Power } from '@lodge/proto/server.ts'
import type { Task } from '@lodge/proto/task.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AgentFixture, specText } from '../testing/agent.fixture.ts'
import { machineText } from '../testing/machine.fixture.ts'

type Work = NonNullable<Task['work']>

/** Sends the agent a task and waits for its result. */
async function ask(fixture: AgentFixture, serverId: string, work: Work, taskId = randomUUID()) {
  fixture.fleet.send({
    $case: 'task',
    value: { taskId, serverId, work, timeout: { seconds: 60, nanos: 0 } },
  })
  const said = await fixture.fleet.until(`${work.$case} is answered`, () =>
    fixture.fleet.said.find(
      (message) => message.$case === 'taskResult' && message.value.taskId === taskId,
    ),
  )
  return said.$case === 'taskResult' ? said.value.outcome : undefined
}

describe('a node with machines', () => {
  const rigs: AgentFixture[] = []
  let fixture: AgentFixture
  let serverId: string
  const machineSpec = machineText()

  const openFixture = async () => {
    const opened = await AgentFixture.open({ output: ['ready'] })
    rigs.push(opened)
    return opened
  }
  beforeEach(async () => {
    fixture = await openFixture()
    serverId = randomUUID()
  })
  afterEach(async () => {
    for (const open of rigs.splice(0)) await open.close()
  })

  const setDesired = (of: AgentFixture, change = {}) =>
    of.fleet.setDesired({
      serverId,
      run: 1,
      install: 1,
      machineSpec,
      placementGeneration: 1,
      ...change,
    })
  const parts = (of: AgentFixture) => of.driver.runtime.machines.get(serverId)?.parts

  /** Creates a machine that is installed and stopped. */
  async function stopped(): Promise<void> {
    await fixture.start()
    expect(await fixture.fleet.settled(setDesired(fixture))).toMatchObject({
      state: 'stopped',
      installed: 1,
    })
  }

  it('reports its virtualization support and any change of it', async () => {
    await fixture.start()
    await fixture.fleet.until('the report', () =>
      fixture.fleet.said.some((said) => said.$case === 'heartbeat' && said.value.virtualization),
    )
    expect(fixture.fleet.hellos[0]?.capabilities).toContain('machine')
    fixture.driver.knobs.virtualization = { ...fixture.driver.knobs.virtualization, kvm: true }
    const outcome = await ask(fixture, '', { $case: 'checkVirtualization', value: {} })
    expect(JSON.stringify(outcome)).toContain('\\"kvm\\":true')
    await fixture.fleet.until('the new report', () =>
      fixture.fleet.said.some(
        (said) => said.$case === 'heartbeat' && said.value.virtualization?.includes('"kvm":true'),
      ),
    )
  })

  it('gives a stopped machine its new disk before it reports the generation as settled', async () => {
    await stopped()
    const { disks } = JSON.parse(machineSpec)
    const more = { ...JSON.parse(machineSpec), disks: [...disks, { id: 'data', sizeMb: 32 }] }
    const grown = setDesired(fixture, { machineSpec: JSON.stringify(more) })
    expect(await fixture.fleet.settled(grown)).toMatchObject({
      state: 'stopped',
      failure: undefined,
    })
    expect(parts(fixture)?.has('data')).toBe(true)
    fixture.driver.knobs.mediumError = null
    const less = { ...more, disks: [{ id: 'system', sizeMb: 8 }] }
    expect(
      await fixture.fleet.settled(setDesired(fixture, { machineSpec: JSON.stringify(less) })),
    ).toMatchObject({
      failure: { code: 'invalid_spec' },
      state: 'stopped',
    })
  })

  it('reports of a stopped machine that its storage is away, and changes it once that is back', async () => {
    await stopped()
    const { disks } = JSON.parse(machineSpec)
    const more = { ...JSON.parse(machineSpec), disks: [...disks, { id: 'data', sizeMb: 32 }] }
    fixture.driver.knobs.applyError = new DriverError('storage_away', 'It is not mounted.')
    const grown = setDesired(fixture, { machineSpec: JSON.stringify(more) })
    expect(await fixture.fleet.settled(grown)).toMatchObject({
      state: 'stopped',
      failure: { code: 'storage_away' },
    })
    fixture.driver.knobs.applyError = null
    await fixture.fleet.until('the failure is over', () => {
      const seen = fixture.fleet.observed.get(serverId)
      return seen?.failure === undefined && seen
    })
    expect(parts(fixture)?.has('data')).toBe(true)
  })

  it('reports a machine as off whose storage went away before it could start', async () => {
    await stopped()
    fixture.driver.knobs.applyError = new DriverError('storage_away', 'It is not mounted.')
    const other = { ...JSON.parse(machineSpec), vcpus: 2 }
    const changed = { machineSpec: JSON.stringify(other), run: 2 }
    const failure = { code: 'storage_away' }
    const started = setDesired(fixture, { ...changed, power: Power.ON })
    expect(await fixture.fleet.settled(started)).toMatchObject({ failure })
    const ended = setDesired(fixture, { ...changed, power: Power.OFF })
    expect(await fixture.fleet.settled(ended)).toMatchObject({ state: 'stopped', failure })
  })

  it('takes, restores and deletes snapshots once per task, even if the agent is killed', async () => {
    await stopped()
    const before = new Map(parts(fixture))
    const snapshotId = randomUUID()
    const create = { $case: 'createSnapshot', value: { snapshotId } } as const
    const taskId = randomUUID()
    fixture.driver.knobs.copyDelayMs = 600_000
    fixture.fleet.send({
      $case: 'task',
      value: { taskId, serverId, work: create, timeout: { seconds: 60, nanos: 0 } },
    })
    await expect.poll(() => fixture.driver.runtime.machines.get(serverId)?.copying).toBe(1)
    await fixture.stop()
    fixture.driver.runtime.machines.get(serverId)!.copying = 0
    fixture.driver.knobs.copyDelayMs = 0
    await fixture.start()
    await fixture.fleet.until('it is back', () => fixture.fleet.inventories.length > 1)
    const made = await ask(fixture, serverId, create, taskId)
    expect(made).toMatchObject({
      $case: 'done',
      value: { output: { value: { snapshots: [{ snapshotId, hasTpm: true }] } } },
    })
    for (const name of before.keys()) parts(fixture)?.set(name, 'changed')
    await ask(fixture, serverId, { $case: 'restoreSnapshot', value: { snapshotId } })
    expect(new Map(parts(fixture))).toEqual(before)
    // Sent again, the task does not run again.
    parts(fixture)?.set('tpm', 'changed again')
    expect(await ask(fixture, serverId, create, taskId)).toEqual(made)
    await ask(fixture, serverId, { $case: 'deleteSnapshot', value: { snapshotId } })
    const left = await ask(fixture, serverId, { $case: 'listSnapshots', value: {} })
    expect(left).toMatchObject({ value: { output: { value: { snapshots: [] } } } })
    const gone = { $case: 'restoreSnapshot', value: { snapshotId } } as const
    expect(await ask(fixture, serverId, gone)).toMatchObject({
      $case: 'failure',
      value: { code: 'not_found' },
    })
  })

  it('reports the progress of a media download, and why it failed', async () => {
    await fixture.start()
    await fixture.fleet.until('an inventory', () => fixture.fleet.inventories.length > 0)
    fixture.driver.knobs.copyDelayMs = 500
    const medium = {
      sha256: 'a'.repeat(64),
      url: 'https://example.test/a.iso',
      kind: 'iso',
      sizeBytes: 10,
    }
    const cache = { $case: 'cacheMedium', value: { medium: JSON.stringify(medium) } } as const
    const taskId = randomUUID()
    expect(await ask(fixture, '', cache, taskId)).toMatchObject({ $case: 'done' })
    const told = fixture.fleet.said.filter((said) => said.$case === 'taskProgress')
    expect(told).toMatchObject([{ value: { taskId, percent: 0, detail: 'Downloading' } }])
    expect(fixture.driver.runtime.media.has(medium.sha256)).toBe(true)
    const drop = { $case: 'dropMedium', value: { sha256: medium.sha256 } } as const
    await ask(fixture, '', drop)
    expect(fixture.driver.runtime.media.size).toBe(0)
    const strange = { ...medium, url: 'http://example.test/a.iso' }
    const refused = { $case: 'cacheMedium', value: { medium: JSON.stringify(strange) } } as const
    expect(await ask(fixture, '', refused)).toMatchObject({
      $case: 'failure',
      value: { code: 'invalid_spec' },
    })
  })

  it('moves a machine to another node completely and boots it only there', async () => {
    await stopped()
    parts(fixture)?.set('tpm', 'sealed keys')
    const target = await openFixture()
    await target.start()
    await target.fleet.until('an inventory', () => target.fleet.inventories.length > 0)
    const exported = await ask(fixture, serverId, { $case: 'exportMachine', value: {} })
    if (exported?.$case !== 'done' || exported.value.output?.$case !== 'machineManifest')
      throw new Error('no manifest')
    const manifest = exported.value.output.value.document

    const ends = joined(fixture, target)
    const copy = {
      $case: 'importMachine',
      value: { manifest, machineSpec, placementGeneration: 2, ...ends },
    } as const
    expect(await ask(target, serverId, copy)).toMatchObject({
      $case: 'done',
      value: { direct: false },
    })
    expect(parts(target)).toEqual(parts(fixture))

    // The target adopts it as it is: nothing is reinstalled.
    const there = setDesired(target, { power: Power.ON, placementGeneration: 2 })
    expect(await target.fleet.settled(there)).toMatchObject({ state: 'running', installed: 1 })
    expect(parts(target)?.get('tpm')).toBe('sealed keys')

    const discard = { $case: 'discardMachine', value: { placementGeneration: 1 } } as const
    fixture.fleet.desiredStates.delete(serverId)
    expect(await ask(fixture, serverId, discard)).toMatchObject({ $case: 'done' })
    expect(fixture.driver.runtime.machines.has(serverId)).toBe(false)
    // An outdated desired state that arrives late creates nothing. A later one has arrived by now,
    // so it has been processed.
    setDesired(fixture, { power: Power.ON, placementGeneration: 1 })
    const other = { serverId: randomUUID(), run: 1, power: Power.ON, containerSpec: specText() }
    await fixture.fleet.settled(fixture.fleet.setDesired(other))
    expect(fixture.driver.runtime.machines.has(serverId)).toBe(false)
    expect(await ask(target, serverId, discard)).toMatchObject({
      $case: 'failure',
      value: { code: 'not_permitted' },
    })
  })

  it('fails a move when the other end disconnects, and leaves nothing that could start', async () => {
    await stopped()
    const target = await openFixture()
    await target.start()
    await target.fleet.until('an inventory', () => target.fleet.inventories.length > 0)
    const exported = await ask(fixture, serverId, { $case: 'exportMachine', value: {} })
    if (exported?.$case !== 'done' || exported.value.output?.$case !== 'machineManifest')
      throw new Error('no manifest')
    const value = {
      manifest: exported.value.output.value.document,
      machineSpec,
      placementGeneration: 2,
      sessionId: randomUUID(),
      ticket: 'nobody is there',
      address: '',
    }
    expect(await ask(target, serverId, { $case: 'importMachine', value })).toMatchObject({
      $case: 'failure',
      value: { code: 'runtime_unavailable', retryable: true },
    })
    expect(await target.driver.recover(new AbortController().signal)).toEqual([])
    expect(parts(fixture)).toBeDefined()
  })

  it('keeps machines running and starts others while the container engine is unavailable', async () => {
    const containers = fakeDriver({ output: ['ready'] })
    const containerId = randomUUID()
    const container = { serverId: containerId, run: 1, power: Power.ON, containerSpec: specText() }
    containers.dropRuntime()
    const machine = setDesired(fixture, { power: Power.ON })
    fixture.fleet.setDesired(container)
    await fixture.start({ drivers: [containersOnly(containers), fixture.driver] })
    expect(await fixture.fleet.settled(machine)).toMatchObject({ state: 'running' })
    expect(fixture.fleet.hellos[0]?.drivers.map(({ healthy }) => healthy)).toEqual([false, true])
    // The agent reports nothing about servers it cannot see, least of all that they are absent.
    expect(fixture.fleet.inventories).toEqual([])
    expect(fixture.fleet.observed.has(containerId)).toBe(false)
    containers.restoreRuntime()
    await fixture.fleet.state(containerId, 'running')
    expect(
      fixture.fleet.inventories
        .at(-1)
        ?.map((seen) => seen.serverId)
        .sort(),
    ).toEqual([serverId, containerId].sort())
    // And the reverse.
    fixture.driver.dropRuntime()
    containers.crash(containerId)
    await fixture.fleet.event(containerId, 'crashed')
    await fixture.fleet.event(containerId, 'restarted')
    expect(fixture.fleet.observed.get(serverId)).toMatchObject({ state: 'running' })
  })

  it('refuses a machine on a node without a driver for machines', async () => {
    await fixture.start({ drivers: [containersOnly(fixture.driver)] })
    expect(await fixture.fleet.settled(setDesired(fixture, { power: Power.ON }))).toMatchObject({
      failure: { code: 'unsupported', detail: 'This node runs no virtual machines.' },
    })
    expect(fixture.fleet.hellos[0]?.capabilities).not.toContain('machine')
    const outcome = await ask(fixture, serverId, { $case: 'takeScreenshot', value: {} })
    expect(outcome).toMatchObject({ $case: 'failure', value: { code: 'unsupported' } })
  })

  it('reports the capabilities of its driver, and refuses the rest as unsupported', async () => {
    const lacking = without(fixture.driver, [
      'snapshots',
      'screen',
      'media',
      'transfer',
      'diskUsage',
      'relocation',
    ])
    await fixture.start({ drivers: [lacking] })
    expect(await fixture.fleet.settled(setDesired(fixture, { power: Power.ON }))).toMatchObject({
      state: 'running',
    })
    expect(fixture.fleet.hellos[0]?.capabilities).toEqual([
      ...['container', 'container.console', 'container.install', 'container.logs', 'machine'],
      ...['container.installer', 'container.images', 'container.networks'],
      ...['container.virtualization', 'container.files'],
      ...['machine.console', 'machine.installer', 'machine.images', 'machine.networks'],
      ...[
        'machine.virtualization',
        'machine.files',
        'abilities',
        'agent.log',
        'agent.backup-storage',
        'agent.bin',
        'agent.files-space',
        'agent.backup-ignore',
        'agent.backup-verify',
        'agent.backup-keeps-replaced',
        'agent.server-moves',
        'agent.storage-changes',
        'agent.schedules',
      ],
    ])
    const works = [
      { $case: 'createSnapshot', value: { snapshotId: randomUUID() } },
      { $case: 'listSnapshots', value: {} },
      { $case: 'takeScreenshot', value: {} },
      { $case: 'dropMedium', value: { sha256: '0'.repeat(64) } },
      { $case: 'exportMachine', value: {} },
      { $case: 'discardMachine', value: { placementGeneration: 1 } },
      { $case: 'measureMachine', value: {} },
    ] as const
    for (const work of works)
      expect(await ask(fixture, serverId, work)).toMatchObject({
        $case: 'failure',
        value: { code: 'unsupported', retryable: false },
      })
  })

  it('runs servers with a driver that has no console', async () => {
    await fixture.start({ drivers: [without(fixture.driver, ['console'])] })
    expect(await fixture.fleet.settled(setDesired(fixture, { power: Power.ON }))).toMatchObject({
      state: 'running',
    })
    expect(fixture.fleet.hellos[0]?.capabilities).not.toContain('container.console')
    const typed = await ask(fixture, serverId, {
      $case: 'sendCommand',
      value: { text: 'stop', person: '' },
    })
    expect(typed).toMatchObject({ $case: 'failure', value: { code: 'unsupported' } })
    const logs = await ask(fixture, serverId, {
      $case: 'readLogs',
      value: { source: 'run', lines: 10 },
    })
    expect(logs).toMatchObject({ $case: 'done', value: { output: { value: { lines: [] } } } })
  })
})

/** Both ends of a relay between two nodes, connected as the control plane would. */
function joined(source: AgentFixture, target: AgentFixture) {
  const [sourceTicket, ticket] = [randomUUID(), randomUUID()]
  const sessionId = randomUUID()
  const dialled = (fixture: AgentFixture, at: string) =>
    new Promise<Duplex>((resolve) => fixture.fleet.relays.set(at, resolve))
  void Promise.all([dialled(source, sourceTicket), dialled(target, ticket)]).then(
    ([one, other]) => {
      one.pipe(other).pipe(one)
      one.on('error', () => other.destroy())
      other.on('error', () => one.destroy())
    },
  )
  const serverId = [...source.fleet.desiredStates.keys()][0] ?? ''
  source.fleet.send({
    $case: 'relayOpen',
    value: {
      sessionId: randomUUID(),
      serverId,
      kind: 'copy',
      ticket: sourceTicket,
      mayWrite: false,
      person: '',
      address: '',
    },
  })
  return { sessionId, ticket, address: '' }
}
