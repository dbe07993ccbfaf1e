import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { Power } from '@lodge/proto/server.ts'
import type { Task } from '@lodge/proto/task.ts'
import type { MachineSpec } from '@lodge/shared/machine-spec.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bootGuard, type Guard } from '../../../agent/src/boot/guard.ts'
import { AgentFixture } from '../../../agent/src/testing/agent.fixture.ts'
import { METADATA_URI } from '../../../drivers/libvirt/src/domain/record.ts'
import { libvirtDriver } from '../../../drivers/libvirt/src/libvirt.ts'
import {
  type LibvirtFixture,
  libvirtFixture,
  UEFI_PROFILE,
} from '../../../drivers/libvirt/src/testing/fixture.ts'
import { libvirtMissing } from '../../../drivers/libvirt/src/testing/node.ts'

const missing = await libvirtMissing()
/** A guest without KVM on a busy machine. */
const BOOT_MS = 320_000

/** An agent of a node with a real libvirt, and its test control plane. */
interface Node {
  readonly libvirt: LibvirtFixture
  readonly fixture: AgentFixture
  readonly guard: Guard
  start(): Promise<void>
}

async function openNode(): Promise<Node> {
  const libvirt = await libvirtFixture()
  const fixture = await AgentFixture.open()
  const { folder } = libvirt.node
  const guard = bootGuard({
    hooksFolder: path.join(folder, 'etc/hooks'),
    permitFolder: path.join(fixture.folder, 'permits'),
    mark: METADATA_URI,
    scope: 'default',
    identityFile: path.join(folder, 'etc'),
    pidFiles: [path.join(folder, 'libvirtd.pid')],
  })
  const options = { ...libvirt.options, guard }
  return {
    libvirt,
    fixture,
    guard,
    start: () => fixture.start({ drivers: [libvirtDriver(options)] }),
  }
}

describe.skipIf(missing !== null)('an agent with a real libvirt', () => {
  const nodes: Node[] = []
  let home: Node
  let spec: MachineSpec
  const serverId = randomUUID()
  const setDesired = (node: Node, change = {}) =>
    node.fixture.fleet.setDesired({
      serverId,
      run: 1,
      install: 1,
      power: Power.ON,
      placementGeneration: 1,
      machineSpec: JSON.stringify(spec),
      crashPolicy: { mode: 'on-failure', maxRestarts: 3, windowMinutes: 10, backoffSeconds: [0] },
      ...change,
    })
  const state = (node: Node, name: string, generation = 0) =>
    node.fixture.fleet.until(
      `it is ${name}`,
      () => {
        const seen = node.fixture.fleet.observed.get(serverId)
        if (seen?.failure) throw new Error(seen.failure.detail)
        return seen?.state === name && seen.settledGeneration >= generation ? seen : undefined
      },
      BOOT_MS,
    )

  beforeAll(async () => {
    home = await openNode()
    nodes.push(home)
    spec = home.libvirt.spec('echo-home', {
      profile: UEFI_PROFILE,
      memoryMb: 384,
      proofOfLife: { patterns: [{ kind: 'text', value: 'ready' }], timeoutSeconds: 300 },
    })
  })
  afterAll(async () => {
    for (const { fixture, libvirt } of nodes) {
      await fixture.close()
      await libvirt.close()
    }
  })

  test('a libvirt that was installed first needs one restart to load the hook', async () => {
    await home.guard.install()
    expect(await home.guard.missing()).toContain('restarted once')
    await home.libvirt.node.killLibvirtd()
    await home.libvirt.node.startLibvirtd()
    expect(await home.guard.missing()).toBeNull()
  })

  test(
    'a machine is installed, boots with a permit and passes its readiness probe',
    async () => {
      const first = setDesired(home)
      await home.start()
      expect(await state(home, 'running', first.generation)).toMatchObject({ installed: 1, run: 1 })
      expect(home.fixture.fleet.bootQuestions).toHaveLength(1)
      const report = await home.fixture.fleet.until(
        'what the node can do',
        () =>
          home.fixture.fleet.said.find(
            (said) => said.$case === 'heartbeat' && said.value.virtualization,
          ),
        BOOT_MS,
      )
      expect(JSON.stringify(report)).toContain('boot-guard')
    },
    BOOT_MS + 60_000,
  )

  test('a restart of the agent does not affect it, and the next agent finds it', async () => {
    const pid = await home.libvirt.node.qemuPid(spec.uuid)
    await home.fixture.agent?.stop()
    await home.start()
    await state(home, 'running')
    expect(await home.libvirt.node.qemuPid(spec.uuid)).toBe(pid)
    expect(home.fixture.fleet.bootQuestions).toHaveLength(1)
  })

  test(
    'a machine whose process dies is restarted with another permit',
    async () => {
      const pid = (await home.libvirt.node.qemuPid(spec.uuid)) ?? 0
      process.kill(pid, 'SIGKILL')
      const crash = await home.fixture.fleet.until('the crash', () =>
        home.fixture.fleet.events.find(({ kind }) => kind === 'crashed'),
      )
      expect(crash.exit?.cause).toBe('lost')
      await home.fixture.fleet.until(
        'the restart',
        () => home.fixture.fleet.events.find(({ kind }) => kind === 'restarted'),
        BOOT_MS,
      )
      expect(home.fixture.fleet.bootQuestions).toHaveLength(2)
    },
    BOOT_MS + 60_000,
  )

  test(
    'nobody can start it by hand on the node, and it boots only with a permit',
    async () => {
      const off = setDesired(home, { power: Power.OFF })
      await state(home, 'stopped', off.generation)
      const byHand = await home.libvirt.node.run('virsh', ['start', spec.uuid])
      expect(byHand.code).not.toBe(0)
      expect(byHand.output).toContain('only the agent of this node may start it')
      home.fixture.fleet.bootAnswer = () => ({ decision: 'deny', holds: [{ kind: 'migration' }] })
      setDesired(home, { power: Power.ON, run: 2 })
      await home.fixture.fleet.until('it waits', () =>
        home.fixture.fleet.observed.get(serverId)?.bootWaitsFor?.includes('being moved'),
      )
      expect(await home.libvirt.node.qemuPid(spec.uuid)).toBeNull()
      home.fixture.fleet.bootAnswer = () => ({})
      const again = setDesired(home, { power: Power.OFF })
      await state(home, 'stopped', again.generation)
    },
    BOOT_MS,
  )

  test('it moves to another node with disk, firmware and TPM, and boots there', {
    tags: 'long',
    timeout: BOOT_MS + 240_000,
  }, async () => {
    const target = await openNode()
    nodes.push(target)
    await target.guard.install()
    await target.libvirt.node.killLibvirtd()
    await target.libvirt.node.startLibvirtd()
    await target.start()
    await target.fixture.fleet.until(
      'an inventory',
      () => target.fixture.fleet.inventories.length > 0,
    )

    const exported = await ask(home, { $case: 'exportMachine', value: {} })
    if (exported?.$case !== 'done' || exported.value.output?.$case !== 'machineManifest')
      throw new Error(JSON.stringify(exported))
    const manifest = exported.value.output.value.document
    const parts = JSON.parse(manifest).files.map(({ part }: { part: string }) => part)
    expect(new Set(parts)).toEqual(new Set(['disk', 'firmware', 'tpm', 'seed']))
    const value = {
      manifest,
      machineSpec: JSON.stringify(spec),
      placementGeneration: 2,
      ...joined(home, target),
    }
    expect(await ask(target, { $case: 'importMachine', value })).toEqual({
      $case: 'done',
      value: { output: undefined },
    })
    home.fixture.fleet.desiredStates.delete(serverId)
    const there = setDesired(target, { placementGeneration: 2, run: 3 })
    expect(await state(target, 'running', there.generation)).toMatchObject({ installed: 1 })
    const gone = { $case: 'discardMachine', value: { placementGeneration: 1 } } as const
    expect(await ask(home, gone)).toMatchObject({ $case: 'done' })
    const left = await home.libvirt.node.run('virsh', ['list', '--all', '--uuid'])
    expect(left.output).not.toContain(spec.uuid)
  })

  /** Sends a task to a node's agent and waits for its result. */
  async function ask(node: Node, work: NonNullable<Task['work']>) {
    const taskId = randomUUID()
    const timeout = { seconds: 300, nanos: 0 }
    node.fixture.fleet.send({ $case: 'task', value: { taskId, serverId, work, timeout } })
    const response = await node.fixture.fleet.until(
      `${work.$case} is answered`,
      () =>
        node.fixture.fleet.said.find(
          (message) => message.$case === 'taskResult' && message.value.taskId === taskId,
        ),
      BOOT_MS,
    )
    return response.$case === 'taskResult' ? response.value.outcome : undefined
  }

  /** A relay between two nodes, as the control plane creates one. */
  function joined(source: Node, target: Node) {
    const [sourceTicket, ticket] = [randomUUID(), randomUUID()]
    const dialled = (node: Node, at: string) =>
      new Promise<Duplex>((resolve) => node.fixture.fleet.relays.set(at, resolve))
    void Promise.all([dialled(source, sourceTicket), dialled(target, ticket)]).then(
      ([one, other]) => {
        one.pipe(other).pipe(one)
        one.on('error', () => other.destroy())
        other.on('error', () => one.destroy())
      },
    )
    const relay = { serverId, kind: 'copy', mayWrite: false, address: '', person: '' }
    source.fixture.fleet.send({
      $case: 'relayOpen',
      value: { ...relay, sessionId: randomUUID(), ticket: sourceTicket },
    })
    return { sessionId: randomUUID(), ticket, address: '' }
  }
})

test(missing === null ? 'libvirt is available for the test' : `skipped: ${missing}`, () => {
  if (process.env.CI) expect(missing).toBeNull()
})
