import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  fsync as fsyncOf,
  ftruncateSync,
  lstatSync,
  readv as readvOf,
} from 'node:fs'
import { promisify } from 'node:util'
import { errorCode } from '@lodge/shared/error-code.ts'
import { FileRefusal } from '../../refusal.ts'
import { shownIn } from '../list.ts'
import { type Asker, inPlace } from '../place.ts'
import type { Quota } from '../quota.ts'
import { FOLDER, openIn, rawAt } from '../tree.ts'
import { writeAll } from '../write.ts'
import { MAX_PACKET_BYTES } from './packets.ts'

const readv = promisify(readvOf)
const fsync = promisify(fsyncOf)

/** As many files and folders as one client may have open. */
export const MAX_HANDLES = 128
/** What is left of a packet when its own fields are taken away. */
export const MAX_DATA_BYTES = MAX_PACKET_BYTES - 1024
const NAMES_AT_ONCE = 100

const FLAG = { read: 1, write: 2, append: 4, create: 8, truncate: 16, exclusive: 32 }

/** A file that a client has open. One that `appends` was opened with `O_APPEND`. */
export class OpenFile {
  readonly fd: number
  readonly #quota: Quota
  readonly #appends: boolean

  constructor(fd: number, quota: Quota, appends: boolean) {
    this.fd = fd
    this.#quota = quota
    this.#appends = appends
  }

  /** Fills one buffer after the other, as far as the file goes. @returns how many bytes it read */
  async read(buffers: readonly Buffer[], offset: number): Promise<number> {
    return (await readv(this.fd, buffers, offset)).bytesRead
  }

  async write(bytes: Buffer, offset: number): Promise<void> {
    // Asked each time: the server writes to the same file.
    const { size } = fstatSync(this.fd)
    const end = (this.#appends ? size : offset) + bytes.byteLength
    // What lies beyond the end counts, holes included: they may be filled at any time.
    if (end > size) this.#quota.take(end - size)
    // Where a handle appends, the kernel ignores the offset.
    await writeAll(this.fd, bytes, offset)
  }

  sync = (): Promise<void> => fsync(this.fd)
  close = (): void => closeSync(this.fd)
}

export interface Shown {
  readonly name: Buffer
  readonly stats: BigIntStats
}

export class OpenFolder {
  readonly fd: number
  readonly #names: Buffer[]

  constructor(fd: number, names: Buffer[]) {
    this.fd = fd
    this.#names = names
  }

  /** The next names; undefined after the last. */
  next(): Shown[] | undefined {
    while (this.#names.length > 0) {
      const shown = this.#names.splice(0, NAMES_AT_ONCE).flatMap((name) => {
        const stats = lstatSync(rawAt(this.fd, name), { bigint: true, throwIfNoEntry: false })
        return stats ? [{ name, stats }] : []
      })
      if (shown.length > 0) return shown
    }
    return undefined
  }

  close = (): void => closeSync(this.fd)
}

export function openFolder(asker: Asker, path: string): OpenFolder {
  const { tree, access } = asker
  access.requireList(path)
  const fd = tree.open(path, FOLDER)
  try {
    const names = shownIn(asker, fd, path).map(({ name }) => name)
    return new OpenFolder(fd, [Buffer.from('.'), ...names])
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** @param mode of a new file */
export function openFile(
  asker: Asker,
  quota: Quota,
  path: string,
  flags: number,
  mode = 0o644,
): OpenFile {
  const writes = (flags & (FLAG.write | FLAG.append)) !== 0
  const reads = (flags & FLAG.read) !== 0 || !writes
  const rights = [...(reads ? (['read'] as const) : []), ...(writes ? (['write'] as const) : [])]
  for (const right of rights) asker.access.require(path, right)
  const appends = (flags & FLAG.append) !== 0
  const way = writes ? (reads ? constants.O_RDWR : constants.O_WRONLY) : constants.O_RDONLY
  const fd = open(asker, path, flags, way | (appends ? constants.O_APPEND : 0), mode)
  try {
    const real = asker.tree.pathOf(fd)
    for (const right of rights) asker.access.require(real, right)
    const stats = fstatSync(fd)
    if (stats.isDirectory())
      throw new FileRefusal('is_a_folder', `${path} is a folder, not a file.`)
    if (!stats.isFile()) throw new FileRefusal('file_forbidden', `${path} is not a file.`)
    if (writes && (flags & FLAG.truncate) !== 0 && stats.size > 0) {
      ftruncateSync(fd)
      if (stats.nlink === 1) quota.take(-stats.size)
    }
    return new OpenFile(fd, quota, appends)
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** Never truncates: what is open is judged first. */
function open(asker: Asker, path: string, flags: number, way: number, mode: number): number {
  const creates = (flags & FLAG.create) !== 0 && way !== constants.O_RDONLY
  const exclusive = creates && (flags & FLAG.exclusive) !== 0
  if (!exclusive)
    try {
      return asker.tree.open(path, way)
    } catch (error) {
      if (!creates || errorCode(error) !== 'ENOENT') throw error
    }
  return inPlace(asker, path, 'write', ({ folder, name }) =>
    openIn(folder, name, way | constants.O_CREAT | constants.O_EXCL, mode),
  )
}
