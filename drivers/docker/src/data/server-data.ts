import { chmod, chown, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Backups } from '@lodge/driver/capabilities/backups.ts'
import type { ServerFiles } from '@lodge/driver/capabilities/files.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import { runProgram } from '@lodge/driver/run-program.ts'
import { errorCode } from '@lodge/shared/error-code.ts'
import { exists } from '@lodge/shared/local/files.ts'
import type { Settings } from '../engine/options.ts'
import { machineFull, ProgramFailed } from './disk-programs.ts'
import { completeExchange, dataExchange, discardPlaces } from './exchange.ts'
import type { ServerPaths } from './layout.ts'
import {
  createLoopDisk,
  dropLoopDisk,
  mountLoopDisk,
  resizeLoopDisk,
  usedOnDisk,
} from './loop-disk.ts'
import { measuredSizes } from './measured-disk.ts'
import { engineSharesMounts } from './mounts.ts'
import { dataPlaces, isShared, numbersOn } from './places.ts'
import { type DataRelocation, dataRelocation } from './relocate.ts'
import { warmDisks } from './warm-disks.ts'

export interface PreparedData {
  readonly diskLimit: 'enforced' | 'measured'
  /** True when the disk can only be resized with the server stopped. */
  readonly restartRequired: boolean
}

export type OpenData = Omit<ServerFiles, 'uid' | 'gid'>

/** The data folders of all servers on this node. */
export interface ServerData {
  paths(serverId: string): ServerPaths
  /**
   * The user of a server with this number on this node. On a shared storage it is the same on every
   * node, and has to be known to be there.
   */
  uidOf(serverId: string, number: number): Promise<number>
  /** Creates folder, disk and the server user's passwd and group files, or resizes the disk. */
  prepare(serverId: string, uid: number, diskMb: number, running: boolean): Promise<PreparedData>
  /**
   * Prepares one more disk of this size when there are fewer than `count`. Returns whether it did.
   */
  addWarm(diskMb: number, count: number): Promise<boolean>
  /** Mounts the data before anything runs on it. */
  mount(serverId: string): Promise<void>
  /** Gives ownership of everything in the data folder to the server's user. */
  giveTo(serverId: string, uid: number): Promise<void>
  usedBytes(serverId: string): Promise<number | null>
  /** The data mounted and measured, for those who work with its files. */
  open(serverId: string): Promise<OpenData>
  /** Called before the data is unmounted or removed. */
  onRelease(letGo: (serverId: string) => Promise<void>): void
  /** What lies on a shared storage stays unless it is to go, too. */
  remove(serverId: string, andShared?: 'and-shared'): Promise<void>
  list(): Promise<readonly string[]>
  /** Exchanges data for restored data. */
  readonly exchange: Backups
  readonly relocation: DataRelocation
  /** Why disk limits are not enforced although they should be, or null. */
  isMeasured(): Promise<boolean>
}

export function serverData(settings: Settings): ServerData {
  const places = dataPlaces(settings.dataRoot, settings.storages)
  const { paths } = places
  const sizes = measuredSizes()
  const alone = oneAtATime()
  const warmPool = warmDisks(join(settings.dataRoot, 'spares'))
  let refused = settings.disk === 'measured'
  let shared = false
  let release: (serverId: string) => Promise<void> = async () => {}
  /** Not cached while false: the engine may not have been started yet. */
  const canEnforce = async () => {
    shared ||= !refused && (await engineSharesMounts())
    return shared && !refused
  }

  async function makeFolder(own: ServerPaths, uid: number, diskMb: number): Promise<void> {
    if (isShared(own)) return makeShared(own, uid)
    const enforced = await canEnforce()
    const warm = enforced && (await warmPool.take(diskMb, own.folder))
    if (!warm) await mkdir(own.folder, { recursive: true, mode: 0o711 })
    // An existing disk image is complete, because it is renamed into place; an earlier attempt
    // stopped after that.
    if (enforced && (await exists(own.diskImage))) await mountLoopDisk(own)
    else if (enforced) {
      try {
        await createLoopDisk(own, diskMb)
      } catch (error) {
        // A server that begins without a limit stays without one.
        if (!(error instanceof ProgramFailed)) throw error
        refused = true
        settings.log(`Disk limits are only measured on this machine: ${String(error)}`)
      }
    }
    await mkdir(own.data, { recursive: true })
    await giveFolder(own, uid)
    await writeUsers(own, uid)
  }

  /** A file system of its own could be mounted by one node only, so the limit is measured. */
  async function makeShared(own: ServerPaths, uid: number): Promise<void> {
    await mkdir(own.home, { recursive: true, mode: 0o711 })
    if (!(await exists(own.data))) {
      await mkdir(own.data, { recursive: true })
      await giveFolder(own, uid)
    }
    await writeUsers(own, uid)
  }

  async function giveFolder(own: ServerPaths, uid: number): Promise<void> {
    await chown(own.data, uid, uid)
    await chmod(own.data, 0o750)
  }

  async function writeUsers(own: ServerPaths, uid: number): Promise<void> {
    await writeFile(own.passwd, passwd(uid), { mode: 0o644 })
    await writeFile(own.group, `root:x:0:\nserver:x:${uid}:\nnogroup:x:65534:\n`, { mode: 0o644 })
  }

  async function mount(serverId: string): Promise<void> {
    await places.storageOf(serverId)
    const own = paths(serverId)
    await completeExchange(own)
    if (await exists(own.diskImage)) await mountLoopDisk(own)
  }

  async function open(serverId: string): Promise<OpenData> {
    await places.storageOf(serverId)
    const own = paths(serverId)
    await alone(serverId, async () => {
      if (!(await exists(own.data)))
        throw new DriverError('not_found', 'The server has no files on this node.')
      await mount(serverId)
    })
    const enforced = await exists(own.diskImage)
    const limitMb = Number(await readFile(own.diskLimit, 'utf8').catch(() => Number.NaN))
    const { bytes: usedBytes, beganMs: measuredAtMs } = enforced
      ? { bytes: await usedOnDisk(own.data), beganMs: null }
      : await sizes.first(own.data)
    const limitBytes = Number.isFinite(limitMb) ? limitMb * 1024 * 1024 : null
    return { folder: own.data, limitBytes, usedBytes, measuredAtMs, enforced }
  }

  return {
    paths,
    async uidOf(serverId, number) {
      const storage = await places.storageOf(serverId)
      if (storage === null) return settings.uidBase + number
      return storage.uidBase + (await numbersOn(storage).take(serverId))
    },
    exchange: dataExchange({
      paths,
      mount,
      alone,
      async freeBytes(serverId) {
        const { limitBytes, usedBytes } = await open(serverId)
        return limitBytes === null || usedBytes === null ? null : limitBytes - usedBytes
      },
      letGo: (serverId) => release(serverId),
    }),
    relocation: dataRelocation({
      ...{ places, mount, alone, canEnforce },
      oneCopy: oneAtATime(),
      storages: settings.storages,
      letGo: (serverId) => release(serverId),
    }),
    prepare: (serverId, uid, diskMb, running) =>
      alone(serverId, async () => {
        const own = paths(serverId)
        try {
          await completeExchange(own)
          if (!(await exists(own.group))) await makeFolder(own, uid, diskMb)
          else if (isShared(own) && !(await exists(own.data)))
            throw new DriverError(
              'disk_missing',
              'The files of the server are missing on its shared storage.',
            )
          // Its user depends on the storage, which may be another one now.
          else if (!running) await writeUsers(own, uid)
          await writeFile(own.diskLimit, String(diskMb))
          if (!(await exists(own.diskImage)))
            return { diskLimit: 'measured', restartRequired: false }
          await mountLoopDisk(own)
          const resized = await resizeLoopDisk(own, diskMb, running, () => release(serverId))
          return { diskLimit: 'enforced', restartRequired: resized === 'restart' }
        } catch (error) {
          throw errorCode(error) === 'ENOSPC' ? machineFull(error) : error
        }
      }),
    addWarm: async (diskMb, count) => (await canEnforce()) && warmPool.add(diskMb, count),
    mount: (serverId) => alone(serverId, () => mount(serverId)),
    async giveTo(serverId, uid) {
      const { code, output } = await runProgram(
        'chown',
        ['-hR', `${uid}:${uid}`, '--', paths(serverId).data],
        {
          deadlineMs: 600_000,
        },
      )
      if (code !== 0)
        throw new DriverError('install_failed', 'The files could not be given to the server.', {
          cause: output,
        })
    },
    async usedBytes(serverId) {
      const own = paths(serverId)
      // A storage that does not answer must keep nobody but the walk.
      if (isShared(own)) return sizes.bytes(own.data)
      if (await exists(own.diskImage)) return usedOnDisk(own.data).catch(() => null)
      return sizes.bytes(own.data)
    },
    open,
    onRelease(letGo) {
      release = letGo
    },
    // Whoever opens the data meanwhile must not mount it again.
    remove: (serverId, andShared) =>
      alone(serverId, async () => {
        const own = paths(serverId)
        await release(serverId)
        sizes.forget(own.data)
        // Of a server on a shared storage, a copy that was not deleted yet.
        const onDisk = places.ownPaths(serverId)
        await discardPlaces(onDisk)
        if (await exists(onDisk.diskImage)) await dropLoopDisk(onDisk)
        if (isShared(own) && andShared) {
          const storage = await places.storageOf(serverId)
          await rm(paths(serverId).home, { recursive: true, force: true })
          // Released last: until then no other server may get this user id.
          if (storage) await numbersOn(storage).release(serverId)
        }
        await rm(own.folder, { recursive: true, force: true })
        places.forget(serverId)
      }),
    isMeasured: async () => settings.disk !== 'measured' && !(await canEnforce()),
    async list() {
      return readdir(join(settings.dataRoot, 'servers')).catch(() => [])
    },
  }
}

/** Runs work on the disk of one server in order: what one mounts, another must not rename. */
function oneAtATime() {
  const last = new Map<string, Promise<unknown>>()
  return <T>(serverId: string, work: () => Promise<T>): Promise<T> => {
    const done = (last.get(serverId) ?? Promise.resolve()).then(work)
    const over = done.catch(() => undefined)
    last.set(serverId, over)
    void over.then(() => last.get(serverId) === over && last.delete(serverId))
    return done
  }
}

function passwd(uid: number): string {
  return [
    'root:x:0:0:root:/root:/bin/sh',
    `server:x:${uid}:${uid}:server:/:/bin/sh`,
    'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin',
    '',
  ].join('\n')
}
