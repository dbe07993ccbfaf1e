import { createHash, randomUUID } from 'node:crypto'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir, uptime } from 'node:os'
import { join } from 'node:path'
import type { BootPermit } from '@lodge/driver/driver.ts'
import type { MachineFixture } from '@lodge/driver/suite/machines.ts'
import { MachineSpec, type MediumRef } from '@lodge/shared/machine-spec.ts'
import { type LibvirtDriver, libvirtDriver } from '../libvirt.ts'
import type { LibvirtDriverOptions } from '../options.ts'
import { buildGuest, type Guest } from './guest/build.ts'
import { startTestNode, type TestNode } from './node.ts'

/** A private libvirt with a driver, and the test guest in its media cache. */
export interface LibvirtFixture {
  readonly node: TestNode
  readonly driver: LibvirtDriver
  readonly options: LibvirtDriverOptions
  readonly guest: Guest
  /** The guest's disk and its live ISO image, as media. */
  readonly media: Readonly<Record<'disk' | 'live', MediumRef>>
  /**
   * Another driver on the same libvirt, as after a restart of the agent; closes the previous one.
   */
  again(): Promise<LibvirtDriver>
  /**
   * A small, distinct machine; the guest's behaviour depends on its host name (`guest/init.sh`).
   */
  spec(hostname: string, change?: Partial<Record<keyof MachineSpec, unknown>>): MachineSpec
  close(): Promise<void>
}

let machines = 0

export async function libvirtFixture(
  more: Partial<LibvirtDriverOptions> = {},
): Promise<LibvirtFixture> {
  const guest = await buildGuest()
  const folder = await mkdtemp(join(tmpdir(), 'lodge-vm-'))
  await chmod(folder, 0o711)
  const node = await startTestNode(join(folder, 'node'))
  const mediaFolder = join(folder, 'media')
  const media = {
    disk: await medium(guest.disk, 'raw', mediaFolder),
    live: await medium(guest.liveIso, 'iso', mediaFolder),
  }
  const options: LibvirtDriverOptions = {
    uri: node.uri,
    dataRoot: join(folder, 'data'),
    mediaFolder,
    tpmFolder: node.tpmFolder,
    logFolders: [join(node.folder, 'log/qemu'), '/var/log/swtpm/libvirt/qemu'],
    networkNamespace: node.networkNamespace,
    ...more,
  }
  let driver = libvirtDriver(options)
  return {
    node,
    options,
    guest,
    media,
    get driver() {
      return driver
    },
    async again() {
      await driver.close()
      driver = libvirtDriver(options)
      return driver
    },
    spec: (hostname, change) => machineSpec(hostname, media.disk, change),
    async close() {
      await driver.close()
      await node.stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** A boot permit, valid for a minute by default. */
export function permit(validMs = 60_000): BootPermit {
  return {
    attempt: randomUUID(),
    nodeEpoch: 1,
    placementGeneration: 1,
    validUntilUptimeMs: uptime() * 1000 + validMs,
  }
}

export const UEFI = {
  kind: 'uefi',
  secureBoot: false,
  loader: { path: '/usr/share/OVMF/OVMF_CODE_4M.fd' },
  vars: { path: '/usr/share/OVMF/OVMF_VARS_4M.fd' },
} as const

export const BIOS_PROFILE = {
  machine: 'q35',
  firmware: { kind: 'bios' },
  tpm: false,
  cpuModel: 'qemu64',
  diskBus: 'virtio',
  nicModel: 'virtio',
  video: 'vga',
  guestAgent: true,
} as const

/** Has firmware variables that a snapshot must keep; the guest boots some seconds slower. */
export const UEFI_PROFILE = { ...BIOS_PROFILE, firmware: UEFI, tpm: true } as const

function machineSpec(
  hostname: string,
  image: MediumRef,
  change: Partial<Record<keyof MachineSpec, unknown>> = {},
): MachineSpec {
  machines += 1
  const host = 10 + (machines % 200)
  return MachineSpec.parse({
    kind: 'machine',
    uuid: randomUUID(),
    ownerId: randomUUID(),
    hostname,
    emulationAllowed: true,
    profile: BIOS_PROFILE,
    vcpus: 1,
    memoryMb: 160,
    cpuPercent: 100,
    disks: [{ id: 'system', sizeMb: 32 }],
    medium: null,
    bootOrder: ['disk', 'cdrom'],
    source: {
      kind: 'image',
      image,
      seed: { instanceId: randomUUID(), hostname, user: 'admin', sshKeys: [], passwordHash: null },
    },
    network: {
      mode: 'nat',
      name: 'lodge0',
      bridge: 'lgbr0',
      mac: `52:54:00:00:00:${host.toString(16).padStart(2, '0')}`,
      address: `10.77.0.${host}`,
      prefixLength: 24,
      gateway: '10.77.0.1',
      dns: [],
    },
    natRules: [],
    stop: { by: 'acpi', timeoutSeconds: 30 },
    proofOfLife: { stayUpSeconds: 0 },
    ...change,
  })
}

async function medium(
  file: string,
  kind: MediumRef['kind'],
  mediaFolder: string,
): Promise<MediumRef> {
  const sha256 = createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
  await mkdir(mediaFolder, { recursive: true, mode: 0o755 })
  await copyFile(file, join(mediaFolder, sha256))
  const { size } = await stat(file)
  return { sha256, url: 'https://media.test/guest', kind, sizeBytes: size }
}

/** The fixture of the conformance suite: machines with UEFI variables and real guests. */
export async function machineFixture(): Promise<MachineFixture> {
  const fixture = await libvirtFixture()
  let other: LibvirtFixture | null = null
  return {
    get driver() {
      return fixture.driver
    },
    again: fixture.again,
    async elsewhere() {
      other ??= await libvirtFixture()
      return other.driver
    },
    spec: (program, change) => fixture.spec(program, { ...change }),
    permit,
    async close() {
      await Promise.all([fixture.close(), other?.close()])
    },
  }
}
