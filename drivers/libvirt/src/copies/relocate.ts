import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Relocation, StorageOrDisk } from '@lodge/driver/capabilities/relocation.ts'
import { DriverError, type OnProgress } from '@lodge/driver/driver.ts'
import { inPlace, unmarkWhole } from '@lodge/driver/storage/note.ts'
import { exists } from '@lodge/shared/local/files.ts'
import { readData, writeContents } from '../data/data.ts'
import { moveIntoPlace, syncPath } from '../data/files.ts'
import { type MachinePaths, machinePaths, pathsOn } from '../data/layout.ts'
import type { Disks } from '../disks/disks.ts'
import { disksOf } from '../disks/of-machine.ts'
import { requireSame } from '../disks/qemu-img.ts'
import { makeFolders } from '../disks/shape.ts'
import type { Domain } from '../domain/domains.ts'
import type { Parts } from '../parts.ts'
import { copyFingerprinted } from './copy-file.ts'
import { bytesOnDisk, fingerprintOf } from './file-bytes.ts'
import { type KeptFile, stampOf } from './kept-file.ts'
import { diskName, diskOf, leavingMachine, partsOf, stoppedMachine } from './parts-of.ts'
import { putInPlace } from './put-in-place.ts'
import { requireFree } from './room.ts'
import { keptSnapshots, MANIFEST } from './snapshots.ts'
import { keptTpm } from './tpm-state.ts'

type Step = (detail: string) => (percent: number) => void

/** Changes the storage of machines on their node. */
export function relocation(parts: Parts): Relocation {
  const { domains, locks, places, settings } = parts
  const pathsOf = (serverId: string) => machinePaths(settings.dataRoot, serverId)

  async function copy(
    serverId: string,
    to: StorageOrDisk,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void> {
    const machine = await stoppedMachine(parts, serverId)
    const from = pathsOf(serverId)
    if ((from.storage?.id ?? null) === to) return
    const note = to === null ? null : await places.noteFor(serverId, to)
    const there = pathsOn(settings.dataRoot, serverId, note)
    // Whatever an interrupted attempt left, or an earlier stay.
    await clear(there)
    await makeFolders(there)
    const kept = await keptSnapshots(from)
    await requireRoom(from, there, machine, kept)
    const count = machine.record.spec.disks.length + kept.length
    let done = 0
    const step: Step = (detail) => {
      const before = done
      done += 1
      return (percent) =>
        onProgress({ step: 'copy', percent: ((before + percent / 100) / count) * 100, detail })
    }
    try {
      await copyParts(from, there, machine, step, signal)
      for (const snapshot of kept) await copySnapshot(from, there, snapshot, step, signal)
      for (const folder of [there.disks, there.home]) await syncPath(folder)
      const data = await readData(from)
      if (!data) throw new DriverError('not_found', 'There is no such machine on this node.')
      signal.throwIfAborted()
      // From here on the copy is whole.
      await writeContents(there, data)
    } catch (error) {
      await clear(there)
      throw error
    }
  }

  /** Disks, firmware variables and the state of the TPM. */
  async function copyParts(
    from: MachinePaths,
    there: MachinePaths,
    machine: Domain,
    step: Step,
    signal: AbortSignal,
  ): Promise<void> {
    const [source, target] = [disksOf(from), disksOf(there)]
    for (const { id } of machine.record.spec.disks) {
      const to = there.disk(id)
      await copyDisk(
        source,
        from.disk(id),
        target,
        `${to}.new`,
        step(`Copying the disk ${id}`),
        signal,
      )
      await moveIntoPlace(`${to}.new`, to)
    }
    const tpm = keptTpm(there)
    // Without state, the guest would get a new TPM, as it would where it is.
    if (machine.record.spec.profile.tpm) {
      await mkdir(there.tpm, { recursive: true, mode: 0o711 })
      await mkdir(tpm, { mode: 0o700 })
    }
    for (const { name, part, path } of await partsOf(parts, machine)) {
      if (part === 'disk') continue
      const to = part === 'tpm' ? join(tpm, name) : part === 'seed' ? there.seed : there.firmware
      await copyFile(path, to, signal)
    }
  }

  async function copySnapshot(
    from: MachinePaths,
    there: MachinePaths,
    { id, snapshot }: Kept,
    step: Step,
    signal: AbortSignal,
  ): Promise<void> {
    const [source, target] = [disksOf(from), disksOf(there)]
    const folder = join(from.snapshots, id)
    const fresh = join(there.snapshots, `${id}.new`)
    await mkdir(fresh, { recursive: true, mode: 0o700 })
    const tell = step('Copying a snapshot')
    const files: KeptFile[] = []
    for (const file of snapshot.files) {
      const path = join(folder, file.name)
      if (!(await exists(path)))
        throw new DriverError('copy_damaged', `${file.name} of a snapshot is gone.`)
      const isDisk = file.part === 'disk'
      const name = isDisk ? diskName(diskOf(file), target.ending) : file.name
      const to = join(fresh, name)
      if (!isDisk || (source.ending === '.qcow2' && target.ending === '.qcow2')) {
        const sha256 = await copyFile(path, to, signal)
        if (file.sha256 !== null && file.sha256 !== sha256)
          throw new DriverError('copy_damaged', `${file.name} of a snapshot is not what it was.`)
        files.push({ ...file, sha256, look: await stampOf(to) })
        continue
      }
      await copyDisk(source, path, target, to, tell, signal)
      const { look: _, source: __, ...rest } = file
      const isFile = target.ending === '.qcow2'
      files.push({
        ...{ ...rest, name },
        ...(isFile
          ? { sizeBytes: (await stampOf(to)).sizeBytes, sha256: await fingerprintOf(to, signal) }
          : { sizeBytes: await target.usedBytes([to]), sha256: null }),
        ...(isFile && { look: await stampOf(to) }),
      })
    }
    const manifest = join(fresh, MANIFEST)
    await writeFile(manifest, JSON.stringify({ ...snapshot, files }), { mode: 0o600 })
    await Promise.all([...files.map(({ name }) => join(fresh, name)), manifest].map(syncPath))
    await moveIntoPlace(fresh, join(there.snapshots, id))
  }

  /** Deletes what lies in a place that has not the machine; first it no longer counts as whole. */
  async function clear(there: MachinePaths): Promise<void> {
    if (there.storage === null) await unmarkWhole(there.folder)
    else await rm(there.contents, { force: true })
    await disksOf(there).removeAll()
    if (there.storage !== null) {
      await rm(there.home, { recursive: true, force: true })
      return
    }
    for (const path of [
      ...[there.disks, there.firmware, there.seed, there.tpm, there.snapshots],
      ...[there.arriving, there.restore, there.former, there.exchange, there.backup],
    ])
      await rm(path, { recursive: true, force: true })
  }

  return {
    copy: (serverId, ...rest) => locks.hold(serverId, () => copy(serverId, ...rest)),
    place: (serverId, on) =>
      locks.hold(serverId, async () => {
        const machine = await domains.find(serverId)
        const isThere = (pathsOf(serverId).storage?.id ?? null) === on
        if (machine && !isThere) await leavingMachine(parts, serverId)
        await putInPlace(parts, serverId, machine?.uuid ?? null, on)
      }),
    drop: (serverId, on) =>
      locks.hold(serverId, async () => {
        const { folder, storage } = pathsOf(serverId)
        const isHere = await exists(folder)
        if (isHere && (storage?.id ?? null) === on) throw inPlace()
        if (on !== null) {
          const shared = await settings.storages.find(on)
          await clear(pathsOn(settings.dataRoot, serverId, await places.noteFor(serverId, on)))
          await rm(shared.folder(serverId), { recursive: true, force: true })
        } else if (isHere) await clear(pathsOn(settings.dataRoot, serverId, null))
      }),
  }
}

type Kept = Awaited<ReturnType<typeof keptSnapshots>>[number]

/** Copies a disk between files and images, and compares both. */
async function copyDisk(
  source: Disks,
  from: string,
  target: Disks,
  to: string,
  tell: (percent: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const { name, format } = await source.at(from)
  await target.copyIn(name, format, to, (percent) => tell(percent * 0.6), signal)
  const compared = (percent: number) => tell(60 + percent * 0.4)
  await requireSame({ name, format }, await target.at(to), compared, signal)
}

/** Copies a small file and reads it back. */
async function copyFile(from: string, to: string, signal: AbortSignal): Promise<string> {
  const sha256 = await copyFingerprinted(from, `${to}.new`, signal)
  await syncPath(`${to}.new`)
  if ((await fingerprintOf(`${to}.new`, signal)) !== sha256)
    throw new DriverError(
      'copy_damaged',
      'The copy of a file is not what was copied. Nothing was changed.',
    )
  await chmod(`${to}.new`, 0o600)
  await rename(`${to}.new`, to)
  return sha256
}

/** @throws {DriverError} disk_full */
async function requireRoom(
  from: MachinePaths,
  there: MachinePaths,
  { record }: Domain,
  kept: readonly Kept[],
): Promise<void> {
  const all = record.spec.disks.map(({ id }) => from.disk(id))
  const ofSnapshots = kept.flatMap(({ id, snapshot }) =>
    snapshot.files
      .filter(({ part }) => part === 'disk')
      .map(({ name }) => join(from.snapshots, id, name)),
  )
  const onDisks = there.pool ? 0 : await disksOf(from).usedBytes([...all, ...ofSnapshots])
  const rest = await bytesOnDisk([from.firmware, from.seed])
  await requireFree(
    there.home,
    onDisks + rest,
    (needed, free) =>
      new DriverError(
        'disk_full',
        `There is no room for its disks there: ${needed} have to be free, and ${free} are.`,
      ),
  )
}
