import { createHash } from 'node:crypto'
import { uptime } from 'node:os'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { Capabilities } from '@lodge/driver/capabilities.ts'
import { type BootPermit, DriverError, type ServerRef } from '@lodge/driver/driver.ts'
import { specFingerprint } from '@lodge/driver/fingerprint.ts'
import {
  isMachine,
  type MachineSpec,
  type MediumRef,
  type WorkloadSpec,
} from '@lodge/shared/machine-spec.ts'
import type { VirtualizationReport } from '@lodge/shared/virtualization.ts'
import type { FakeKnobs } from './knobs.ts'
import { type FakeMachine, type FakeRuntime, type FakeServer, idleWorkload } from './runtime.ts'

/** A node that supports every machine. */
export const FIT: VirtualizationReport = {
  available: true,
  why: '',
  kvm: false,
  kvmWhy: 'This node has no KVM: its engine is made up.',
  emulation: true,
  libvirtVersion: '9.0.0',
  qemuVersion: '7.2.0',
  tpm: true,
  firmware: ['/usr/share/OVMF/OVMF_CODE_4M.fd', '/usr/share/OVMF/OVMF_VARS_4M.fd']
    .flatMap((path) => [path, path.replace('_4M', '_4M.ms'), path.replace('_4M', '_4M.secboot')])
    .map((path) => ({ path, sha256: sha256(path) })),
  networks: [],
  cpuModels: ['qemu64', 'max', 'Skylake-Client-v1'],
  media: [],
  checks: [],
}

export type Remember = (server: ServerRef, fingerprint: string) => FakeServer

type FakeMachines = Required<
  Pick<
    Capabilities<WorkloadSpec>,
    'virtualization' | 'snapshots' | 'screen' | 'media' | 'transfer' | 'diskUsage'
  >
>

/** Machines whose disks are short texts: copies can be compared and take no space. */
export function fakeMachines(
  runtime: FakeRuntime,
  knobs: FakeKnobs,
  remember: Remember,
  /** Notes where its data lie. Throws `storage_away`. */
  place: (serverId: string, spec: MachineSpec) => Promise<void>,
): FakeMachines {
  async function copying<T>(serverId: string, signal: AbortSignal, work: () => T): Promise<T> {
    const machine = stopped(runtime, serverId)
    machine.copying += 1
    try {
      await take(knobs, signal)
      return work()
    } finally {
      machine.copying -= 1
    }
  }

  return {
    virtualization: {
      async report() {
        const media = [...runtime.media].map(([fingerprint, sizeBytes]) => ({
          sha256: fingerprint,
          sizeBytes,
        }))
        return { ...knobs.virtualization, media }
      },
    },
    snapshots: {
      async create(serverId, snapshotId, onProgress, signal) {
        runtime.check()
        const known = machineOf(runtime, serverId).snapshots.get(snapshotId)
        if (known) return known.info
        return await copying(serverId, signal, () => {
          onProgress({ step: 'copy', percent: 50, detail: 'Copying the disks' })
          const machine = machineOf(runtime, serverId)
          const parts = new Map(machine.parts)
          const { profile, disks } = machine.spec
          const info = {
            snapshotId,
            createdAt: new Date(),
            sizeBytes: bytesOf(parts),
            diskMb: disks.reduce((sum, { sizeMb }) => sum + sizeMb, 0),
            has: { firmware: profile.firmware.kind === 'uefi', tpm: profile.tpm },
          }
          machine.snapshots.set(snapshotId, { info, parts })
          return info
        })
      },
      async restore(serverId, snapshotId, onProgress, signal) {
        runtime.check()
        await copying(serverId, signal, () => {
          onProgress({ step: 'copy', percent: 50, detail: 'Copying the disks' })
          const machine = machineOf(runtime, serverId)
          const snapshot = machine.snapshots.get(snapshotId)
          if (!snapshot) throw new DriverError('not_found', 'There is no such snapshot.')
          for (const [name, content] of snapshot.parts) machine.parts.set(name, content)
        })
      },
      async delete(serverId, snapshotId) {
        runtime.check()
        runtime.machines.get(serverId)?.snapshots.delete(snapshotId)
      },
      async list(serverId) {
        runtime.check()
        return [...machineOf(runtime, serverId).snapshots.values()].map(({ info }) => info)
      },
    },
    screen: {
      async open(serverId) {
        requireRunning(runtime, serverId)
        const screen = new PassThrough()
        screen.write('RFB 003.008\n')
        return screen
      },
      async capture(serverId) {
        requireRunning(runtime, serverId)
        return ONE_PIXEL
      },
    },
    media: {
      async cache(medium, onProgress, signal) {
        runtime.check()
        onProgress({ step: 'image', percent: 0, detail: 'Downloading' })
        await take(knobs, signal)
        fetchMedium(runtime, knobs, medium)
      },
      async drop(fingerprint) {
        runtime.check()
        const used = [...runtime.machines.values()].some(
          ({ spec }) => spec.medium?.sha256 === fingerprint,
        )
        if (!used) runtime.media.delete(fingerprint)
      },
    },
    transfer: {
      async manifest(serverId, onProgress, signal) {
        runtime.check()
        return await copying(serverId, signal, () => {
          onProgress({ step: 'verify', percent: 50, detail: 'Reading the disks' })
          const { spec, parts } = machineOf(runtime, serverId)
          const files = [...parts].map(([name, content]) => ({
            name,
            part: partOf(name),
            sizeBytes: Buffer.byteLength(content),
            sha256: sha256(content),
          }))
          return { version: 1 as const, serverId, uuid: spec.uuid, files }
        })
      },
      async read(serverId, name, offset, signal) {
        runtime.check()
        const content = stopped(runtime, serverId).parts.get(name)
        if (content === undefined) throw new DriverError('not_found', 'There is no such file.')
        return Readable.from([Buffer.from(content).subarray(offset)], { signal })
      },
      async import(server, spec, manifest, read, onProgress, signal) {
        runtime.check()
        if (!isMachine(spec)) throw new DriverError('unsupported', 'Only machines move.')
        const { serverId } = server
        if (runtime.machines.has(serverId)) return
        await place(serverId, spec)
        const begun = runtime.imports.get(serverId) ?? { manifest, parts: new Map() }
        runtime.imports.set(serverId, begun)
        for (const file of manifest.files) {
          await take(knobs, signal)
          const content = await text(await read(file.name, 0, signal))
          onProgress({ step: 'copy', percent: null, detail: file.name })
          if (sha256(content) !== file.sha256)
            throw new DriverError('copy_damaged', `${file.name} is not what was sent.`)
          begun.parts.set(file.name, content)
        }
        const { parts } = begun
        const machine = { spec, parts, snapshots: new Map(), copying: 0 }
        runtime.machines.set(serverId, machine)
        const shared = runtime.shared.get(serverId)
        if (shared !== undefined) runtime.disks.set(shared, machine)
        runtime.imports.delete(serverId)
        const fingerprint = specFingerprint(spec)
        remember(server, fingerprint).workload = idleWorkload(server, fingerprint, spec)
      },
    },
    diskUsage: {
      async measure(serverId) {
        runtime.check()
        const { spec, snapshots, parts } = machineOf(runtime, serverId)
        const usedBytes = (part: string) => Buffer.byteLength(parts.get(part) ?? '')
        return {
          disks: spec.disks.map(({ id, sizeMb }) => ({ id, sizeMb, usedBytes: usedBytes(id) })),
          snapshotBytes: [...snapshots.values()].reduce((sum, { info }) => sum + info.sizeBytes, 0),
          otherBytes: usedBytes('firmware') + usedBytes('tpm'),
        }
      },
    },
  }
}

/** Brings a machine into line with its spec. Throws `invalid_spec` when a disk would shrink. */
export async function shapeMachine(
  runtime: FakeRuntime,
  knobs: FakeKnobs,
  serverId: string,
  spec: MachineSpec,
): Promise<void> {
  if (spec.medium) fetchMedium(runtime, knobs, spec.medium)
  const known = runtime.machines.get(serverId)
  for (const disk of known?.spec.disks ?? []) {
    const next = spec.disks.find(({ id }) => id === disk.id)
    if (next && next.sizeMb < disk.sizeMb)
      throw new DriverError('invalid_spec', `The disk ${disk.id} cannot be made smaller.`)
  }
  const shared = runtime.shared.get(serverId)
  const there = shared === undefined ? undefined : runtime.disks.get(shared)
  const machine = known ?? { ...newMachine(spec), ...there }
  if (shared !== undefined) runtime.disks.set(shared, machine)
  machine.spec = spec
  for (const { id } of spec.disks) if (!machine.parts.has(id)) machine.parts.set(id, 'empty')
  runtime.machines.set(serverId, machine)
}

/** Recreates the system disk, firmware variables and TPM. */
export async function installMachine(
  runtime: FakeRuntime,
  knobs: FakeKnobs,
  serverId: string,
  spec: MachineSpec,
): Promise<void> {
  const { source } = spec
  if (source.kind === 'image') fetchMedium(runtime, knobs, source.image)
  await shapeMachine(runtime, knobs, serverId, spec)
  const { parts } = machineOf(runtime, serverId)
  const [system] = spec.disks
  if (system) parts.set(system.id, source.kind === 'image' ? source.image.sha256 : 'empty')
  for (const name of ['firmware', 'tpm']) if (parts.has(name)) parts.set(name, 'as new')
}

/** Throws `not_permitted` or `not_stopped` when the machine may not boot now. */
export function requireBootable(
  runtime: FakeRuntime,
  serverId: string,
  permit: BootPermit | undefined,
): void {
  if (!permit || permit.validUntilUptimeMs < uptime() * 1000)
    throw new DriverError('not_permitted', 'The machine has no permit to boot.', {
      retryable: true,
    })
  if (machineOf(runtime, serverId).copying > 0)
    throw new DriverError('not_stopped', 'The machine is being copied.', { retryable: true })
}

function newMachine(spec: MachineSpec): FakeMachine {
  const parts = new Map<string, string>()
  if (spec.profile.firmware.kind === 'uefi') parts.set('firmware', 'as new')
  if (spec.profile.tpm) parts.set('tpm', 'as new')
  return { spec, parts, snapshots: new Map(), copying: 0 }
}

function fetchMedium(runtime: FakeRuntime, knobs: FakeKnobs, medium: MediumRef): void {
  if (runtime.media.has(medium.sha256)) return
  if (knobs.mediumError) throw knobs.mediumError
  runtime.media.set(medium.sha256, medium.sizeBytes)
}

async function take(knobs: FakeKnobs, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (knobs.copyDelayMs > 0) await delay(knobs.copyDelayMs, undefined, { signal })
  if (knobs.copyError) throw knobs.copyError
}

function machineOf(runtime: FakeRuntime, serverId: string): FakeMachine {
  const machine = runtime.machines.get(serverId)
  if (!machine) throw new DriverError('not_found', 'There is no such machine.')
  return machine
}

function stopped(runtime: FakeRuntime, serverId: string): FakeMachine {
  const machine = machineOf(runtime, serverId)
  if (runtime.servers.get(serverId)?.workload?.running)
    throw new DriverError('not_stopped', 'The machine is running: stop it first.', {
      retryable: true,
    })
  return machine
}

function requireRunning(runtime: FakeRuntime, serverId: string): void {
  runtime.check()
  if (!runtime.servers.get(serverId)?.workload?.running)
    throw new DriverError('not_running', 'The machine does not run.')
}

const partOf = (name: string): 'disk' | 'firmware' | 'tpm' =>
  name === 'firmware' || name === 'tpm' ? name : 'disk'

const bytesOf = (parts: ReadonlyMap<string, string>): number =>
  [...parts.values()].reduce((sum, content) => sum + Buffer.byteLength(content), 0)

function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}

const ONE_PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
