import { rm } from 'node:fs/promises'
import { type Applied, DriverError, type OnProgress, type ServerRef } from '@lodge/driver/driver.ts'
import { specFingerprint } from '@lodge/driver/fingerprint.ts'
import type { MachineSpec } from '@lodge/shared/machine-spec.ts'
import { completeExchange } from './backups/exchange.ts'
import { followStorage } from './copies/put-in-place.ts'
import { removeTpm } from './copies/tpm-state.ts'
import { type DataRecord, readData, writeData } from './data/data.ts'
import { moveIntoPlace, writeWhole } from './data/files.ts'
import { type MachinePaths, machinePaths } from './data/layout.ts'
import { requireFirmware } from './disks/firmware.ts'
import { disksOf } from './disks/of-machine.ts'
import { makeEmptyDisk, makeFirmware, makeFolders, requireFits, shapeDisks } from './disks/shape.ts'
import { define } from './domain/define.ts'
import { closeFiles } from './host/close-files.ts'
import { changeLive } from './live.ts'
import { checkImage } from './media/headers.ts'
import type { Parts } from './parts.ts'
import { cloudSeedImage } from './seed/cloud-seed.ts'

const MIB = 1024 * 1024

/** Creates machines and brings them into line with their specs. */
export interface Provisioning {
  /** Like `apply`, for a caller that holds the server's lock. */
  applyUnlocked: Provisioning['apply']
  apply(
    server: ServerRef,
    spec: MachineSpec,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<Applied>
  install(
    server: ServerRef,
    spec: MachineSpec,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void>
}

export function provisioning(parts: Parts): Provisioning {
  const { domains, firewall, locks, media, networks, orphans, places, settings } = parts

  async function apply(
    server: ServerRef,
    spec: MachineSpec,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<Applied> {
    const known = await domains.find(server.serverId)
    // What runs keeps its disks: another storage waits for the next start.
    if (known?.active) await places.require(server.serverId)
    else await followStorage(parts, server.serverId, known?.uuid ?? null, spec.storage)
    const paths = machinePaths(settings.dataRoot, server.serverId)
    await requireAccelerator(parts, spec, signal)
    await requireFirmware(spec)
    if (spec.medium) await media.fetch(spec.medium, onProgress, signal)
    if (known && known.uuid !== spec.uuid)
      throw new DriverError('invalid_spec', 'A machine cannot become another one.')
    const { generation, run, serverId } = server
    const fingerprint = specFingerprint(spec)
    onProgress({ step: 'configure', percent: null, detail: 'Preparing the machine' })

    // A running machine keeps its definition; what cannot change live waits for the next start.
    if (known?.active) {
      const restartRequired = known.record.fingerprint !== fingerprint
      const running = await changeLive(parts, known, spec)
      await domains.note(known.uuid, { ...known.record, generation, run, spec: running })
      await firewall.ensure()
      return { restartRequired, diskLimit: 'enforced' }
    }
    if (known) await orphans.end(known.uuid)
    await makeFolders(paths)
    await completeExchange(parts, server.serverId)
    const data = await readData(paths)
    const made = await shapeDisks(paths, spec, data)
    await closeFiles(paths)
    signal.throwIfAborted()
    // Recorded before the definition, so that a later apply recognizes these disks and never
    // recreates one that has gone missing.
    await writeData(paths, {
      ...{ generation, run, fingerprint, uuid: spec.uuid, ...made },
      unfinished: data?.unfinished ?? null,
    })
    // After the definition below, nothing would remember the reservation of the old card.
    if (known && !sameCard(known.record.spec, spec))
      await networks.release(known.record.spec.network)
    await define(parts, {
      scope: settings.scope,
      serverId,
      generation,
      run,
      fingerprint,
      spec,
      startedAt: known?.record.startedAt ?? null,
      held: known?.record.held ?? false,
      lastExit: known?.record.lastExit ?? null,
    })
    await networks.ensure(spec.network)
    await firewall.ensure()
    return { restartRequired: false, diskLimit: 'enforced' }
  }

  async function install(
    server: ServerRef,
    spec: MachineSpec,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void> {
    const [system] = spec.disks
    if (!system) throw new DriverError('invalid_spec', 'A machine needs a disk.')
    const known = await domains.find(server.serverId)
    if (known?.active)
      throw new DriverError('not_stopped', 'The machine is running: stop it first.', {
        retryable: true,
      })
    // An installation finds the disks where the spec says, like every start.
    await followStorage(parts, server.serverId, known?.uuid ?? null, spec.storage)
    const paths = machinePaths(settings.dataRoot, server.serverId)
    const { source } = spec
    const image =
      source.kind === 'image' ? await media.fetch(source.image, onProgress, signal) : null
    if (known) await orphans.end(known.uuid)
    await makeFolders(paths)
    await completeExchange(parts, server.serverId)
    const before = await readData(paths)
    if (!before?.disks.includes(system.id)) await requireFits(paths, system)
    const record: DataRecord = {
      generation: server.generation,
      run: server.run,
      fingerprint: before?.fingerprint ?? '',
      uuid: spec.uuid,
      disks: before?.disks ?? [],
      firmware: before?.firmware ?? false,
      unfinished: 'install',
    }
    // Marked as unfinished before anything changes: an interrupted installation must not start.
    await writeData(paths, record)
    onProgress({ step: 'install', percent: 0, detail: 'Creating the system disk' })
    if (source.kind === 'image' && image !== null) {
      await makeSystemDisk(paths, spec, image, onProgress, signal)
      const seed = cloudSeedImage(source.seed, spec.network)
      await writeWhole(paths.seed, seed)
    } else {
      await makeEmptyDisk(paths, paths.disk(system.id), system.sizeMb)
      await rm(paths.seed, { force: true })
    }
    await disksOf(paths).sweep()
    const firmware = await makeFirmware(paths, spec)
    await closeFiles(paths)
    await removeTpm(parts, spec.uuid)
    if (paths.storage) await rm(paths.tpm, { recursive: true, force: true })
    const disks = [...new Set([...record.disks, system.id])]
    // From here on the machine may start.
    await writeData(paths, { ...record, disks, firmware, unfinished: null })
    onProgress({ step: 'install', percent: 100, detail: 'The system disk is ready' })
  }

  return {
    applyUnlocked: apply,
    apply: (server, spec, onProgress, signal) =>
      locks.hold(server.serverId, () => apply(server, spec, onProgress, signal)),
    install: (server, spec, onProgress, signal) =>
      locks.hold(server.serverId, () => install(server, spec, onProgress, signal)),
  }
}

/** Throws `unsupported` when the machine would be emulated although that is not allowed. */
export async function requireAccelerator(
  { acceleration }: Parts,
  spec: MachineSpec,
  signal: AbortSignal,
): Promise<'kvm' | 'qemu'> {
  const { works, why, remedy } = await acceleration.kvm(signal)
  if (works) return 'kvm'
  if (spec.emulationAllowed) return 'qemu'
  throw new DriverError(
    'unsupported',
    `This node cannot run the machine: ${why} ${remedy} Or allow emulation on the node.`,
  )
}

/** Writes the image to a new file and renames it, so that a failure leaves the old disk. */
async function makeSystemDisk(
  paths: MachinePaths,
  spec: MachineSpec,
  image: string,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<void> {
  const { source } = spec
  const [system] = spec.disks
  if (source.kind !== 'image' || !system) return
  const { kind } = source.image
  if (kind === 'iso')
    throw new DriverError('invalid_spec', 'An ISO image is no disk: put it into the drive.')
  // Before qemu-img opens it: the header of an untrusted image could reference files of the node.
  const needsMb = await checkImage(image, kind)
  if (needsMb > system.sizeMb)
    throw new DriverError('invalid_spec', `The image needs a disk of at least ${needsMb} MiB.`)
  const fresh = `${paths.disk(system.id)}.new`
  const disks = disksOf(paths)
  try {
    const detail = 'Copying the image'
    const tell = (percent: number) => onProgress({ step: 'install', percent, detail })
    await disks.copyIn(image, kind, fresh, tell, signal)
    if ((await disks.sizeBytes(fresh)) < system.sizeMb * MIB) await disks.grow(fresh, system.sizeMb)
    await moveIntoPlace(fresh, paths.disk(system.id))
  } finally {
    await rm(fresh, { force: true })
  }
}

function sameCard(a: MachineSpec, b: MachineSpec): boolean {
  const facts = ({ network: { name, mac, address } }: MachineSpec) => `${name} ${mac} ${address}`
  return facts(a) === facts(b)
}
