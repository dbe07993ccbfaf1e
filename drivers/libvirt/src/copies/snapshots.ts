import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SnapshotInfo, Snapshots } from '@lodge/driver/capabilities/snapshots.ts'
import { DriverError, type OnProgress } from '@lodge/driver/driver.ts'
import { exists } from '@lodge/shared/local/files.ts'
import { snapshotId as snapshotIdSchema } from '@lodge/shared/machine-copy.ts'
import { z } from 'zod'
import { readData, writeData } from '../data/data.ts'
import { moveIntoPlace, syncPath } from '../data/files.ts'
import { type MachinePaths, machinePaths } from '../data/layout.ts'
import { disksOf, sweepDisks } from '../disks/of-machine.ts'
import { closeFiles } from '../host/close-files.ts'
import type { Parts } from '../parts.ts'
import { bytesOnDisk } from './file-bytes.ts'
import { bringBackFile, KeptFile, keepFile } from './kept-file.ts'
import { diskName, partsOf, placeOf, stoppedMachine } from './parts-of.ts'
import { adopt, emptyTpm, tpmStateFolder } from './tpm-state.ts'

const Snapshot = z.object({
  version: z.literal([1, 2]),
  uuid: z.string(),
  createdAt: z.coerce.date(),
  diskMb: z.int(),
  files: z.array(KeptFile),
})
export type Snapshot = z.infer<typeof Snapshot>

export const MANIFEST = 'manifest.json'
const MIB = 1024 * 1024

/**
 * Copies of stopped machines, each a folder with a manifest of files and fingerprints. The folder
 * gets its final name last, so a crash never leaves a partial snapshot under that name.
 */
export function snapshots(parts: Parts): Snapshots {
  const { domains, locks, places, settings } = parts
  const pathsOf = (serverId: string) => machinePaths(settings.dataRoot, serverId)
  const folderOf = (paths: MachinePaths, id: string) => join(paths.snapshots, checked(id))

  async function create(
    serverId: string,
    id: string,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<SnapshotInfo> {
    await places.require(serverId)
    const paths = pathsOf(serverId)
    const folder = folderOf(paths, id)
    // A repeated request returns the existing snapshot, so that a retry has one effect.
    const there = await readSnapshot(folder)
    if (there) return info(folder, id, there)
    const machine = await stoppedMachine(parts, serverId)
    const disks = disksOf(paths)
    const fresh = `${folder}.new`
    await rm(fresh, { recursive: true, force: true })
    try {
      await mkdir(fresh, { recursive: true, mode: 0o700 })
      const sources = await partsOf(parts, machine)
      const tell = progressReporter(onProgress, await sizesOf(sources.map(({ path }) => path)))
      const files: KeptFile[] = []
      let diskMb = 0
      for (const source of sources) {
        const to = join(fresh, source.name)
        const { name, part, path } = source
        const onBytes = tell(`Copying ${name}`)
        const kept =
          part === 'disk'
            ? await disks.keep(path, to, signal, onBytes)
            : await keepFile(path, to, signal, onBytes, false)
        files.push({ name, part, ...kept })
        if (part === 'disk') diskMb += Math.ceil((await disks.sizeBytes(to)) / MIB)
      }
      const createdAt = new Date()
      const snapshot = { version: 2 as const, uuid: machine.uuid, createdAt, diskMb, files }
      await writeFile(join(fresh, MANIFEST), JSON.stringify(snapshot), { mode: 0o600 })
      // All in parallel, so that the file system can batch the syncs.
      const written = [...files.map(({ name }) => name), MANIFEST].map((name) => join(fresh, name))
      await Promise.all(written.map(syncPath))
      signal.throwIfAborted()
      await moveIntoPlace(fresh, folder)
      return await info(folder, id, snapshot)
    } catch (error) {
      await rm(fresh, { recursive: true, force: true })
      await disks.sweep()
      throw error
    }
  }

  async function restore(
    serverId: string,
    id: string,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void> {
    const machine = await stoppedMachine(parts, serverId)
    const paths = pathsOf(serverId)
    const folder = folderOf(paths, id)
    const snapshot = await readSnapshot(folder)
    if (!snapshot) throw new DriverError('not_found', 'There is no such snapshot.')
    if (snapshot.uuid !== machine.uuid)
      throw new DriverError('copy_damaged', 'The snapshot is of another machine.')

    // Disks that the machine no longer has are not restored.
    const disks = disksOf(paths)
    const kept = new Set(machine.record.spec.disks.map(({ id }) => diskName(id, disks.ending)))
    const files = snapshot.files.filter(({ part, name }) => part !== 'disk' || kept.has(name))
    const waiting = join(paths.home, 'returning')
    const tpm = tpmStateFolder(parts, paths, machine.uuid)
    await rm(waiting, { recursive: true, force: true })
    try {
      await mkdir(waiting, { mode: 0o700 })
      const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
      const tell = progressReporter(onProgress, total)
      // Copy and verify everything before touching the machine.
      for (const file of files) {
        const to = join(waiting, file.name)
        const bringBack = file.part === 'disk' ? disks.bringBack : bringBackFile
        await bringBack(file, join(folder, file.name), to, signal, tell(`Copying ${file.name}`))
      }
      await Promise.all(files.map(({ name }) => syncPath(join(waiting, name))))
      const data = await readData(paths)
      if (!data) throw new DriverError('not_found', 'There is no such machine on this node.')
      signal.throwIfAborted()
      // Point of no return: an interrupted restore must be repeated, and until then the record
      // keeps the machine from starting.
      await writeData(paths, { ...data, unfinished: 'restore' })
      if (snapshot.files.some(({ part }) => part === 'tpm')) await emptyTpm(tpm)
      for (const file of files) {
        const to = placeOf(parts, serverId, machine.uuid, file)
        if (file.part === 'tpm') await adopt(join(waiting, file.name), to)
        else await rename(join(waiting, file.name), to)
      }
      await closeFiles(paths)
      await Promise.all([paths.disks, paths.home].map(syncPath))
      await writeData(paths, { ...data, unfinished: null })
    } finally {
      await rm(waiting, { recursive: true, force: true })
      await disks.sweep()
    }
  }

  return {
    create: (serverId, id, onProgress, signal) =>
      locks.hold(serverId, () => create(serverId, id, onProgress, signal)),
    restore: (serverId, id, onProgress, signal) =>
      locks.hold(serverId, () => restore(serverId, id, onProgress, signal)),

    delete: (serverId, id) =>
      locks.hold(serverId, async () => {
        await places.require(serverId)
        const folder = folderOf(pathsOf(serverId), id)
        // Renamed first, so that an interrupted deletion leaves nothing in the list.
        const gone = `${folder}.gone`
        await rm(gone, { recursive: true, force: true })
        if (await exists(folder)) await rename(folder, gone)
        // A `.new` folder is left by a process killed while copying.
        for (const rest of [gone, `${folder}.new`]) await rm(rest, { recursive: true, force: true })
        await sweepDisks(settings.dataRoot, serverId)
      }),
    async list(serverId) {
      await places.require(serverId)
      const paths = pathsOf(serverId)
      const kept = await keptSnapshots(paths)
      // Throws for an unknown machine, which must not look like one without snapshots.
      if (kept.length === 0) await domains.get(serverId)
      return Promise.all(
        kept.map(({ id, snapshot }) => info(join(paths.snapshots, id), id, snapshot)),
      )
    },
  }
}

/** The complete snapshots of a machine. */
export async function keptSnapshots({
  snapshots,
}: Pick<MachinePaths, 'snapshots'>): Promise<
  { readonly id: string; readonly snapshot: Snapshot }[]
> {
  const names = await readdir(snapshots).catch((): string[] => [])
  const found = names
    .filter((name) => snapshotIdSchema.safeParse(name).success)
    .map(async (id) => {
      const snapshot = await readSnapshot(join(snapshots, id))
      return snapshot ? [{ id, snapshot }] : []
    })
  return (await Promise.all(found)).flat()
}

/** Reads a complete snapshot; null when there is none. */
export async function readSnapshot(folder: string): Promise<Snapshot | null> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null)
  if (text === null) return null
  try {
    return Snapshot.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** Reports the share of bytes copied; reflinked files are not counted. */
function progressReporter(onProgress: OnProgress, total: number) {
  let done = 0
  return (detail: string) => {
    const tell = () =>
      onProgress({
        step: 'copy',
        percent: (done / Math.max(1, total)) * 100,
        detail,
        bytes: { done, total },
      })
    tell()
    return (count: number) => {
      done += count
      tell()
    }
  }
}

async function sizesOf(paths: readonly string[]): Promise<number> {
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function info(folder: string, snapshotId: string, from: Snapshot): Promise<SnapshotInfo> {
  const has = (part: KeptFile['part']) => from.files.some((file) => file.part === part)
  return {
    snapshotId,
    createdAt: from.createdAt,
    sizeBytes: await bytesOf(folder, from.files),
    diskMb: from.diskMb,
    has: { firmware: has('firmware'), tpm: has('tpm') },
  }
}

/** An image counts as at the time of the snapshot, since what it shares cannot be told apart. */
async function bytesOf(folder: string, files: readonly KeptFile[]): Promise<number> {
  const isImage = ({ name }: KeptFile) => name.endsWith('.rbd')
  const images = files.filter(isImage).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const rest = files.filter((file) => !isImage(file)).map(({ name }) => join(folder, name))
  return images + (await bytesOnDisk(rest))
}

function checked(id: string): string {
  if (snapshotIdSchema.safeParse(id).success) return id
  throw new DriverError('invalid_spec', 'The snapshot has an id that cannot be used.')
}
