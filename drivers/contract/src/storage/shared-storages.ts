import { randomInt, randomUUID } from 'node:crypto'
import {
  chown,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  statfs,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { FIRST_STORAGE_UID, StorageMark, type StorageReport } from '@lodge/shared/shared-storage.ts'
import { DriverError } from '../driver.ts'
import { runProgram } from '../run-program.ts'
import { type Fault, markPool, unmarkPool, whyNotItsPool } from './pool-mark.ts'
import { roomIn } from './pool-room.ts'
import type { RbdPool } from './rbd.ts'

/** A file system that several nodes have mounted, proven to be there. */
export interface SharedStorage {
  readonly id: string
  readonly name: string
  /** The first of the user ids of its servers, which are the same on every node. */
  readonly uidBase: number
  /** Where the storage keeps which server has which number. */
  readonly numbers: string
  /** Has the disks of its virtual machines; null: they are files. */
  readonly pool: RbdPool | null
  /** Everything of one server on the storage. */
  folder(serverId: string): string
}

export interface SharedStorages {
  /** The configuration names none. */
  readonly isEmpty: boolean
  /** What each storage of the configuration is now. */
  report(): Promise<StorageReport[]>
  /**
   * The storage with this identity, wherever this node has it mounted.
   * @throws {DriverError} storage_away while it is not there
   */
  find(id: string): Promise<SharedStorage>
}

/** Servers of one storage have user ids of one block of this size. */
export const STORAGE_UIDS = 65_536
const UID_BLOCKS = 8_192

/** By file system type in the kernel: what a node may use without being told that others see it, too. */
const SHARED_TYPES: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x00c3_6400, // Ceph
  0x0116_1970, // GFS2
  0x7461_636f, // OCFS2
  0x0bd0_0bd0, // Lustre
  0x4750_4653, // GPFS
  0x1983_0326, // BeeGFS
])

/** An unreachable server of a network file system must not keep the agent. */
const ANSWERS_WITHIN_MS = 5_000

interface Here {
  readonly mark: StorageMark
  readonly sizeBytes: number
  readonly freeBytes: number
}

const AWAY =
  'The storage with the files of the server is not available on its node now. It is tried again'

/**
 * The storages that the operator has mounted and named. What proves one is a mark in it, never its path:
 * a mount point without its file system has no mark, so nothing is ever made there.
 * @param places the path of each, by name
 * @param pools of those whose virtual machines have their disks in one, by the same name
 */
export function sharedStorages(
  places: ReadonlyMap<string, string>,
  pools: ReadonlyMap<string, RbdPool> = new Map(),
): SharedStorages {
  /** Storages where files could be given to users of servers. */
  const proven = new Set<string>()

  const look = async (name: string, path: string): Promise<Here | Fault> => {
    const silence = await whySilent(path)
    if (silence) return silence
    try {
      const pool = pools.get(name)
      const mark = await markOf(path, pool)
      if ('why' in mark) return mark
      const unfit =
        (await whyNotItsPool(path, mark.id, mark.pool, pool)) ??
        (proven.has(mark.id) ? null : await whyUnfit(path, mark))
      if (unfit) return unfit
      proven.add(mark.id)
      const { blocks, bsize, bavail } = await statfs(path)
      return { mark, sizeBytes: blocks * bsize, freeBytes: bavail * bsize }
    } catch (error) {
      return {
        why: `${path} cannot be used: ${reasonOf(error)}`,
        remedy: 'Check the state of the storage and what the node may do there',
      }
    }
  }

  return {
    isEmpty: places.size === 0,
    report: () =>
      Promise.all(
        [...places].map(async ([name, path]) => {
          const found = await look(name, path)
          if ('why' in found)
            return { name, path, id: null, ...shortened(found), sizeBytes: 0, freeBytes: 0 }
          const { mark, sizeBytes, freeBytes } = found
          const free = rounded(freeBytes)
          const own = pools.get(name)
          return {
            ...{ name, path, id: mark.id, why: null, remedy: null, sizeBytes, freeBytes: free },
            ...(own && { pool: await roomOf(own) }),
          }
        }),
      ),

    async find(id) {
      const all = await Promise.all(
        [...places].map(async ([name, path]) => ({ name, path, found: await look(name, path) })),
      )
      for (const { name, path, found } of all)
        if ('mark' in found && found.mark.id === id)
          return {
            ...{ id, name, uidBase: found.mark.uidBase },
            numbers: join(own(path), 'numbers'),
            pool: pools.get(name) ?? null,
            folder: (serverId) => join(own(path), 'servers', plainName(serverId)),
          }
      throw new DriverError('storage_away', AWAY, { retryable: true })
    },
  }
}

async function roomOf(pool: RbdPool): Promise<StorageReport['pool']> {
  const room = await roomIn(pool)
  return {
    name: pool.pool,
    sizeBytes: room && rounded(room.sizeBytes),
    freeBytes: room && rounded(room.freeBytes),
  }
}

const shortened = ({ why, remedy }: Fault): Fault => ({
  why: why.slice(0, 500),
  remedy: remedy.slice(0, 500),
})

/** A name that cannot lead out of the storage. */
function plainName(serverId: string): string {
  if (/^[\w-]{1,64}$/.test(serverId)) return serverId
  throw new DriverError('invalid_spec', 'The server has an id that cannot be used.')
}

/** The only folder of the storage that is used. */
const own = (path: string) => join(path, 'lodge')
const markFile = (path: string) => join(own(path), 'storage.json')

/** In steps of 1 GiB, so that not every written byte is news. */
const rounded = (bytes: number) => bytes - (bytes % 2 ** 30)

/** Asked by another process: a file system that does not answer holds whoever asks it. */
async function whySilent(path: string): Promise<Fault | null> {
  const { code, output } = await runProgram('stat', ['-f', '-c', '%T', '--', path], {
    deadlineMs: ANSWERS_WITHIN_MS,
  })
  if (code === 0) return null
  if (code === null)
    return {
      why: `${path} does not answer`,
      remedy: 'Check the network to the storage, and the storage itself',
    }
  return {
    why: `${path} cannot be read: ${output.trim().split(': ').at(-1)?.slice(0, 200)}`,
    remedy: 'Mount the storage there, or name its path in the configuration of the agent',
  }
}

/** The mark of a storage, which the first node makes. */
async function markOf(path: string, pool: RbdPool | undefined): Promise<StorageMark | Fault> {
  const before = await readMark(path)
  if (before !== undefined) return before
  const isMade = await lstat(own(path)).then(
    (found) => found.isDirectory(),
    () => false,
  )
  const { type } = await statfs(path)
  if (!isMade && !SHARED_TYPES.has(type))
    return {
      why: `No shared storage is mounted at ${path}`,
      remedy:
        'Mount it. If one is mounted, of a kind that looks like a disk of this machine, make the folder lodge in it once',
    }
  await mkdir(own(path), { recursive: true, mode: 0o711 })
  const mark: StorageMark = {
    id: randomUUID(),
    uidBase: FIRST_STORAGE_UID + randomInt(UID_BLOCKS) * STORAGE_UIDS,
    ...(pool && { pool: pool.pool }),
  }
  // Before the storage says so, or no node could ever use it.
  const unusable = pool && (await markPool(pool, mark.id))
  if (unusable) return unusable
  const fresh = join(own(path), `.${mark.id}`)
  await writeFile(fresh, JSON.stringify(mark), { mode: 0o644, flush: true })
  try {
    // Of several nodes that look at a new storage at once, one gives it its mark.
    await link(fresh, markFile(path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(fresh, { force: true })
  }
  const given = (await readMark(path)) ?? damaged(path)
  if (pool && !('id' in given && given.id === mark.id)) await unmarkPool(pool, mark.id)
  return given
}

const damaged = (path: string): Fault => ({
  why: `The mark of the storage at ${path} is damaged`,
  remedy: `Restore ${markFile(path)} from a backup of the storage`,
})

async function readMark(path: string): Promise<StorageMark | Fault | undefined> {
  const text = await readFile(markFile(path), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  try {
    return StorageMark.parse(JSON.parse(text))
  } catch {
    return damaged(path)
  }
}

/** Files must be able to belong to the users of servers, or every one of them would fail to start. */
async function whyUnfit(path: string, { uidBase }: StorageMark): Promise<Fault | null> {
  await mkdir(join(own(path), 'servers'), { recursive: true, mode: 0o711 })
  const folder = await mkdtemp(join(own(path), '.probe-'))
  try {
    if (process.getuid?.() !== 0) return null
    await chown(folder, uidBase, uidBase)
    const { uid } = await lstat(folder)
    return uid === uidBase ? null : noOwners(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPERM') return noOwners(path)
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const noOwners = (path: string): Fault => ({
  why: `Files at ${path} cannot be given to the users of servers`,
  remedy: 'Export the storage to the nodes with no_root_squash',
})

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
