import { chmod, chown, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DriverError, type OnProgress } from '@lodge/driver/driver.ts'
import type { Machines, SnapshotInfo } from '@lodge/driver/machines.ts'
import { CopiedFile, snapshotId as snapshotIdSchema } from '@lodge/shared/machine-copy.ts'
import { z } from 'zod'
import { readData, writeData } from '../data.ts'
import { isThere, moveIntoPlace, syncPath, writeWhole } from '../files.ts'
import { type MachinePaths, machinePaths } from '../layout.ts'
import { diskSizeBytes } from '../media/headers.ts'
import type { Parts } from '../parts.ts'
import { tpmUser } from '../system-user.ts'
import { copyPart } from './copy-file.ts'
import {
  bytesOnDisk,
  diskName,
  fingerprintOf,
  partsOf,
  placeOf,
  stoppedMachine,
  tpmStateFolder,
} from './parts-of.ts'

const Snapshot = z.object({
  version: z.literal(1),
  uuid: z.string(),
  createdAt: z.coerce.date(),
  diskMb: z.int(),
  files: z.array(CopiedFile),
})
type Snapshot = z.infer<typeof Snapshot>

const MANIFEST = 'manifest.json'
const MIB = 1024 * 1024

type Work = Pick<
  Machines,
  'createSnapshot' | 'restoreSnapshot' | 'deleteSnapshot' | 'listSnapshots'
>

/**
 * Copies of stopped machines, each a folder with a list of its files and their fingerprints. The folder
 * gets its name last: what has no name is no snapshot.
 */
export function snapshots(parts: Parts): Work {
  const { domains, locks, settings } = parts
  const pathsOf = (serverId: string) => machinePaths(settings.dataRoot, serverId)
  const folderOf = (paths: MachinePaths, id: string) => join(paths.snapshots, checked(id))

  async function create(
    serverId: string,
    id: string,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<SnapshotInfo> {
    const paths = pathsOf(serverId)
    const folder = folderOf(paths, id)
    const there = await read(folder)
    if (there) return info(folder, id, there)
    const machine = await stoppedMachine(parts, serverId)
    const fresh = `${folder}.new`
    await rm(fresh, { recursive: true, force: true })
    try {
      await mkdir(fresh, { recursive: true, mode: 0o700 })
      const sources = await partsOf(parts, machine)
      const files: CopiedFile[] = []
      let diskMb = 0
      for (const [index, source] of sources.entries()) {
        const to = join(fresh, source.name)
        const tell = (share: number) =>
          onProgress({
            step: 'copy',
            percent: ((index + share) / sources.length) * 100,
            detail: `Copying ${source.name}`,
          })
        await copyPart(source, to, (percent) => tell(percent / 200), signal)
        tell(0.5)
        if (source.part === 'disk') diskMb += Math.ceil((await diskSizeBytes(to)) / MIB)
        files.push({
          name: source.name,
          part: source.part,
          sizeBytes: (await stat(to)).size,
          sha256: await fingerprintOf(to, signal),
        })
      }
      const snapshot = {
        version: 1 as const,
        uuid: machine.uuid,
        createdAt: new Date(),
        diskMb,
        files,
      }
      await writeWhole(join(fresh, MANIFEST), JSON.stringify(snapshot))
      await moveIntoPlace(fresh, folder)
      return await info(folder, id, snapshot)
    } finally {
      await rm(fresh, { recursive: true, force: true })
    }
  }

  async function restore(
    serverId: string,
    id: string,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void> {
    const paths = pathsOf(serverId)
    const folder = folderOf(paths, id)
    const machine = await stoppedMachine(parts, serverId)
    const snapshot = await read(folder)
    if (!snapshot) throw new DriverError('not_found', 'There is no such snapshot.')
    await verify(folder, snapshot, machine.uuid, onProgress, signal)

    const kept = new Set(machine.record.spec.disks.map((disk) => diskName(disk.id)))
    const files = snapshot.files.filter(({ part, name }) => part !== 'disk' || kept.has(name))
    const waiting = join(paths.folder, 'returning')
    const tpm = tpmStateFolder(parts, machine.uuid)
    await rm(waiting, { recursive: true, force: true })
    try {
      await mkdir(waiting, { mode: 0o700 })
      for (const [index, { name, part }] of files.entries()) {
        const percent = 50 + (index / files.length) * 50
        onProgress({ step: 'copy', percent, detail: `Copying ${name}` })
        const source = { name, part, path: join(folder, name) }
        await copyPart(source, join(waiting, name), () => {}, signal)
      }
      const data = await readData(paths)
      if (!data) throw new DriverError('not_found', 'There is no such machine on this node.')
      signal.throwIfAborted()
      // From here on it is done to the end, now or by the next try.
      await writeData(paths, { ...data, unfinished: 'restore' })
      if (snapshot.files.some(({ part }) => part === 'tpm')) await emptyTpm(tpm)
      for (const file of files) {
        const to = placeOf(parts, serverId, machine.uuid, file)
        if (file.part === 'tpm') await adopt(join(waiting, file.name), to)
        else await rename(join(waiting, file.name), to)
      }
      for (const place of [paths.disks, paths.folder]) await syncPath(place)
      await writeData(paths, { ...data, unfinished: null })
    } finally {
      await rm(waiting, { recursive: true, force: true })
    }
  }

  return {
    createSnapshot: (serverId, id, onProgress, signal) =>
      locks.hold(serverId, () => create(serverId, id, onProgress, signal)),
    restoreSnapshot: (serverId, id, onProgress, signal) =>
      locks.hold(serverId, () => restore(serverId, id, onProgress, signal)),

    deleteSnapshot: (serverId, id) =>
      locks.hold(serverId, async () => {
        const folder = folderOf(pathsOf(serverId), id)
        const gone = `${folder}.gone`
        await rm(gone, { recursive: true, force: true })
        if (await isThere(folder)) await rename(folder, gone)
        // Half a copy is what is left of a process that was killed in the middle of making it.
        for (const rest of [gone, `${folder}.new`]) await rm(rest, { recursive: true, force: true })
      }),
    async listSnapshots(serverId) {
      const paths = pathsOf(serverId)
      const names = await readdir(paths.snapshots).catch((): string[] => [])
      if (names.length === 0) await domains.get(serverId)
      const found = names
        .filter((name) => snapshotIdSchema.safeParse(name).success)
        .map(async (name) => {
          const folder = join(paths.snapshots, name)
          const snapshot = await read(folder)
          return snapshot ? [await info(folder, name, snapshot)] : []
        })
      return (await Promise.all(found)).flat()
    },
  }
}

async function read(folder: string): Promise<Snapshot | null> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null)
  if (text === null) return null
  try {
    return Snapshot.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** Everything is looked at before anything is touched. */
async function verify(
  folder: string,
  { files, uuid }: Snapshot,
  own: string,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<void> {
  if (uuid !== own) throw damaged('The snapshot is of another machine.')
  for (const [index, { name, part, sha256 }] of files.entries()) {
    onProgress({ step: 'verify', percent: (index / files.length) * 50, detail: `Reading ${name}` })
    const path = join(folder, name)
    if (!(await isThere(path))) throw damaged(`${name} of the snapshot is gone.`)
    if ((await fingerprintOf(path, signal)) !== sha256)
      throw damaged(`${name} of the snapshot is not what it was.`)
    if (part === 'disk') await diskSizeBytes(path)
  }
}

async function info(folder: string, snapshotId: string, from: Snapshot): Promise<SnapshotInfo> {
  const has = (part: CopiedFile['part']) => from.files.some((file) => file.part === part)
  return {
    snapshotId,
    createdAt: from.createdAt,
    sizeBytes: await bytesOnDisk(from.files.map(({ name }) => join(folder, name))),
    diskMb: from.diskMb,
    has: { firmware: has('firmware'), tpm: has('tpm') },
  }
}

/** The folder of a TPM's state, with nothing in it. */
export async function emptyTpm(folder: string): Promise<void> {
  const { uid, gid } = await tpmUser()
  await rm(folder, { recursive: true, force: true })
  await mkdir(join(folder, '..'), { recursive: true, mode: 0o711 })
  await mkdir(folder, { mode: 0o700 })
  await chown(folder, uid, gid)
}

/** Moves a file of a TPM's state, on whatever file system it is kept, to where its process can read it. */
export async function adopt(from: string, to: string): Promise<void> {
  const { uid, gid } = await tpmUser()
  await writeWhole(to, await readFile(from))
  await chmod(to, 0o600)
  await chown(to, uid, gid)
}

function checked(id: string): string {
  if (snapshotIdSchema.safeParse(id).success) return id
  throw new DriverError('invalid_spec', 'The snapshot has an id that cannot be used.')
}

function damaged(message: string): DriverError {
  return new DriverError('copy_damaged', message)
}
