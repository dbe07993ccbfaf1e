import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CAPABILITIES } from '@lodge/driver/capabilities.ts'
import { type Driver, DriverError, type DriverEvent } from '@lodge/driver/driver.ts'
import type { Fixture, Program } from '@lodge/driver/suite/program.ts'
import { driverSuite } from '@lodge/driver/suite.ts'
import { ContainerSpec } from '@lodge/shared/container-spec.ts'
import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import { describe, expect, it } from 'vitest'
import { type FakeDriver, fakeDriver } from './fake.ts'
import { containersOnly, without } from './lacking.ts'

const can = {
  has: ['console', 'installer', 'images', 'networks', 'backups', 'files', 'relocation'],
  ports: true,
  memory: true,
  disk: false,
} satisfies Fixture['can']
const signal = new AbortController().signal
const none = () => {}

driverSuite('the fake driver', () => fixtureOf(containersOnly, can), can)

const bare = { ...can, has: [] } satisfies Fixture['can']
driverSuite(
  'a driver without capabilities',
  () => fixtureOf((driver) => without(driver, CAPABILITIES), bare),
  bare,
)

async function fixtureOf(
  shown: (driver: FakeDriver) => Driver<WorkloadSpec>,
  can: Fixture['can'],
): Promise<Fixture> {
  const dataRoot = await mkdtemp(join(tmpdir(), 'lodge-fake-'))
  const driver = fakeDriver({ dataRoot })
  return {
    driver: shown(driver),
    again: () => shown(fakeDriver({ dataRoot, runtime: driver.runtime })),
    spec: specOf,
    withInstaller: (spec, program) => ({
      ...spec,
      install: {
        image: spec.image,
        interpreter: ['fake'],
        script: JSON.stringify(program),
        environment: {},
        timeoutSeconds: 60,
      },
    }),
    can,
    close: () => rm(dataRoot, { recursive: true, force: true }),
  }
}

describe('the knobs of the fake driver', () => {
  it('make every start fail until they are reset', async () => {
    const driver = fakeDriver({ startError: new DriverError('start_failed', 'no') })
    await applied(driver, 'one')
    await expect(driver.start('one', signal)).rejects.toThrow('no')
    driver.knobs.startError = null
    await driver.start('one', signal)
    expect(await driver.recover(signal)).toMatchObject([{ running: true }])
  })

  it('end a workload on its own, by a crash and by a line of input', async () => {
    const driver = fakeDriver({ exitAfterMs: 1, exitCode: 9 })
    const events = reader(driver)
    await applied(driver, 'one')
    await driver.start('one', signal)
    expect(await events.exit()).toMatchObject({ code: 9 })
    driver.knobs.exitAfterMs = null
    await driver.start('one', signal)
    driver.crash('one', { code: 137, signal: 'SIGKILL', outOfMemory: true })
    expect(await events.exit()).toMatchObject({ code: 137, outOfMemory: true })
    driver.knobs.exitOnInput = 'stop'
    await driver.start('one', signal)
    await driver.console.write('one', Buffer.from('stop\n'))
    expect(await events.exit()).toMatchObject({ code: 0 })
    expect(driver.inputs('one')).toEqual(['stop'])
  })

  it('make the engine unavailable, and it sends a reset when it returns', async () => {
    const driver = fakeDriver()
    const events = driver.events(signal)[Symbol.asyncIterator]()
    await applied(driver, 'one')
    driver.dropRuntime()
    await expect(driver.start('one', signal)).rejects.toMatchObject({ code: 'runtime_unavailable' })
    expect(await driver.probe(signal)).toMatchObject({ ok: false })
    driver.restoreRuntime()
    expect((await events.next()).value).toEqual({ kind: 'reset' })
  })

  it('allow ten thousand servers', async () => {
    const driver = fakeDriver()
    for (let index = 0; index < 10_000; index += 1) {
      await applied(driver, `server-${index}`)
      await driver.start(`server-${index}`, signal)
    }
    expect(await driver.sample(signal)).toHaveLength(10_000)
  })
})

function specOf(program: Program): ContainerSpec {
  return ContainerSpec.parse({
    image: { kind: 'registry', reference: 'fake' },
    command: ['fake', JSON.stringify(program)],
    environment: {},
    dataPath: '/data',
    ports: [],
    limits: { memoryMb: 64, cpuPercent: 100, diskMb: 64 },
    proofOfLife: {},
    stop: [],
  })
}

async function applied(driver: FakeDriver, serverId: string): Promise<void> {
  await driver.apply({ serverId, generation: 1, run: 1 }, specOf({ kind: 'run' }), none, signal)
}

function reader(driver: FakeDriver) {
  const events = driver.events(signal)[Symbol.asyncIterator]()
  return {
    async exit() {
      for (;;) {
        const { value }: { value: DriverEvent } = await events.next()
        if (value.kind === 'exited') return value.exit
      }
    },
  }
}
