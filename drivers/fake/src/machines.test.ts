import { uptime } from 'node:os'
import { CAPABILITIES } from '@lodge/driver/capabilities.ts'
import { type Driver, DriverError } from '@lodge/driver/driver.ts'
import { specFingerprint } from '@lodge/driver/fingerprint.ts'
import { type MachineFixture, machineSuite } from '@lodge/driver/suite/machines.ts'
import { MachineSpec, WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import { describe, expect, it } from 'vitest'
import { type FakeDriver, fakeDriver } from './fake.ts'
import { machinesOnly, without } from './lacking.ts'

const signal = new AbortController().signal
const none = () => {}
const server = { serverId: 'one', generation: 1, run: 1 }
const permit = (ms = 5000) => ({
  attempt: 'a',
  nodeEpoch: 1,
  placementGeneration: 1,
  validUntilUptimeMs: uptime() * 1000 + ms,
})

let count = 0
const EVERY_ONE = CAPABILITIES.filter((name) => name !== 'images' && name !== 'files')
machineSuite('the fake driver', () => fixtureOf(machinesOnly), { guests: false, has: EVERY_ONE })
machineSuite(
  'a driver without capabilities',
  () => fixtureOf((driver) => ({ ...without(driver, CAPABILITIES), runs: ['machine'] })),
  { guests: false, has: [] },
)

async function fixtureOf(
  shown: (driver: FakeDriver) => Driver<WorkloadSpec>,
): Promise<MachineFixture> {
  const { runtime } = fakeDriver()
  const other = shown(fakeDriver())
  let driver = shown(fakeDriver({ runtime }))
  return {
    get driver() {
      return driver
    },
    async again() {
      driver = shown(fakeDriver({ runtime }))
      return driver
    },
    elsewhere: async () => other,
    spec(_program, change) {
      count += 1
      const uuid = `0191d3a4-0000-7000-8000-${String(count).padStart(12, '0')}`
      return specOf({ uuid, ...change })
    },
    permit,
    close: async () => {},
  }
}

describe('machines of the fake driver', () => {
  it('boot only with a permit', async () => {
    const driver = await made()
    await expect(driver.start('one', signal)).rejects.toMatchObject({ code: 'not_permitted' })
    await expect(driver.start('one', signal, permit(-1))).rejects.toMatchObject({
      code: 'not_permitted',
    })
    await driver.start('one', signal, permit())
    expect(await driver.recover(signal)).toMatchObject([{ running: true }])
  })

  it('return to a snapshot completely: disks, firmware and TPM', async () => {
    const driver = await made()
    const before = contents(driver)
    const snapshot = await driver.snapshots.create('one', 'first', none, signal)
    expect(snapshot.has).toEqual({ firmware: true, tpm: true })
    for (const name of before.keys()) driver.runtime.machines.get('one')?.parts.set(name, 'changed')
    await driver.snapshots.restore('one', 'first', none, signal)
    expect(contents(driver)).toEqual(before)
    await driver.snapshots.delete('one', 'first')
    expect(await driver.snapshots.list('one')).toEqual([])
  })

  it('cannot be copied while they run, and cannot start while they are copied', async () => {
    const driver = await made()
    driver.knobs.copyDelayMs = 100
    const copy = driver.snapshots.create('one', 'first', none, signal)
    await expect(driver.start('one', signal, permit())).rejects.toMatchObject({
      code: 'not_stopped',
    })
    await copy
    await driver.start('one', signal, permit())
    await expect(driver.snapshots.create('one', 'second', none, signal)).rejects.toMatchObject({
      code: 'not_stopped',
    })
  })

  it('move to another engine completely, and not at all when a byte is wrong', async () => {
    const source = await made()
    const target = fakeDriver()
    const manifest = await source.transfer.manifest('one', none, signal)
    const read: Parameters<typeof target.transfer.import>[3] = (name, offset, abort) =>
      source.transfer.read('one', name, offset, abort)
    const damaged = {
      ...manifest,
      files: manifest.files.map((file) => ({ ...file, sha256: '0'.repeat(64) })),
    }
    await expect(
      target.transfer.import(server, specOf(), damaged, read, none, signal),
    ).rejects.toMatchObject({ code: 'copy_damaged' })
    expect(await target.recover(signal)).toEqual([])
    await target.transfer.import(server, specOf(), manifest, read, none, signal)
    expect(contents(target)).toEqual(contents(source))
    await target.start('one', signal, permit())
  })

  it('gain disks, never shrink them, and keep everything else', async () => {
    const driver = await made()
    const more = specOf({
      disks: [
        { id: 'system', sizeMb: 200 },
        { id: 'data', sizeMb: 10 },
      ],
    })
    await driver.apply(server, more, none, signal)
    expect([...contents(driver).keys()]).toContain('data')
    await expect(driver.apply(server, specOf(), none, signal)).rejects.toMatchObject({
      code: 'invalid_spec',
    })
  })

  it('report how they ended', async () => {
    const driver = await made()
    await driver.start('one', signal, permit())
    driver.crash('one', { code: 1, cause: 'panic' })
    expect((await driver.recover(signal))[0]?.lastExit).toMatchObject({ code: 1, cause: 'panic' })
  })

  it('differ from containers, and need no restart for a medium or a NAT rule', () => {
    const spec = specOf()
    expect(WorkloadSpec.parse(spec)).toEqual(spec)
    const rules = [{ protocol: 'tcp' as const, hostPort: 2222, guestPort: 22 }]
    expect(specFingerprint({ ...spec, natRules: rules })).toBe(specFingerprint(spec))
    expect(specFingerprint({ ...spec, vcpus: 2 })).not.toBe(specFingerprint(spec))
  })

  it('fail to be copied when configured to', async () => {
    const driver = await made()
    driver.knobs.copyError = new DriverError('disk_full', 'The disk is full.')
    await expect(driver.snapshots.create('one', 'first', none, signal)).rejects.toMatchObject({
      code: 'disk_full',
    })
    expect(await driver.snapshots.list('one')).toEqual([])
  })
})

async function made(): Promise<FakeDriver> {
  const driver = fakeDriver()
  await driver.apply(server, specOf(), none, signal)
  await driver.installer.install(server, specOf(), none, signal)
  return driver
}

const contents = (driver: FakeDriver) => new Map(driver.runtime.machines.get('one')?.parts)

function specOf(change: Partial<Record<keyof MachineSpec, unknown>> = {}): MachineSpec {
  return MachineSpec.parse({
    kind: 'machine',
    uuid: '0191d3a4-0000-7000-8000-000000000001',
    ownerId: '0191d3a4-0000-7000-8000-000000000002',
    hostname: 'one',
    emulationAllowed: true,
    profile: {
      machine: 'q35',
      firmware: {
        kind: 'uefi',
        secureBoot: false,
        loader: { path: '/usr/share/OVMF/OVMF_CODE_4M.fd' },
        vars: { path: '/usr/share/OVMF/OVMF_VARS_4M.fd' },
      },
      tpm: true,
      cpuModel: 'host',
      diskBus: 'virtio',
      nicModel: 'virtio',
      video: 'virtio',
      guestAgent: true,
    },
    vcpus: 1,
    memoryMb: 256,
    cpuPercent: 100,
    disks: [{ id: 'system', sizeMb: 100 }],
    medium: null,
    bootOrder: ['disk', 'cdrom'],
    source: { kind: 'blank' },
    network: {
      mode: 'nat',
      name: 'lodge0',
      bridge: 'lgbr0',
      mac: '52:54:00:00:00:01',
      address: '10.77.0.11',
      prefixLength: 24,
      gateway: '10.77.0.1',
      dns: [],
    },
    natRules: [],
    stop: { by: 'acpi', timeoutSeconds: 60 },
    proofOfLife: { stayUpSeconds: 0 },
    ...change,
  })
}
