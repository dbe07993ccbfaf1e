import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsync as fsyncOf,
  lstatSync,
  renameSync,
  unlinkSync,
  write as writeOf,
  writev as writevOf,
} from 'node:fs'
import { promisify } from 'node:util'
import { errorCode } from '@lodge/shared/error-code.ts'
import type { Entry } from '@lodge/shared/files.ts'
import { FileRefusal } from '../refusal.ts'
import { entryAt, etagOf } from './entry.ts'
import { gathered } from './gathered.ts'
import { type Asker, inPlaceToWrite, type Place } from './place.ts'
import type { Quota } from './quota.ts'
import { renameWithoutReplacing } from './system.ts'
import { at, openIn, type Tree } from './tree.ts'

export const fsync = promisify(fsyncOf)
const writeSome = promisify(writeOf)
const writeVector = promisify(writevOf)
/** The most parts that one system call takes on Linux (IOV_MAX). */
const MOST_PARTS = 1024

export async function writeAll(fd: number, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0
  while (done < bytes.byteLength) {
    const { bytesWritten } = await writeSome(
      fd,
      bytes,
      done,
      bytes.byteLength - done,
      position + done,
    )
    done += bytesWritten
  }
}

/** The same of several parts that follow each other. */
async function writeParts(
  fd: number,
  parts: readonly Uint8Array[],
  position: number,
): Promise<number> {
  let done = 0
  for (let at = 0; at < parts.length; at += MOST_PARTS) {
    const some = parts.slice(at, at + MOST_PARTS)
    const bytes = bytesOf(some)
    const { bytesWritten } = await writeVector(fd, some, position + done)
    // Rare: a signal came between, or the disk is full, which the next attempt tells.
    if (bytesWritten < bytes) {
      const rest = Buffer.concat(some).subarray(bytesWritten)
      await writeAll(fd, rest, position + done + bytesWritten)
    }
    done += bytes
  }
  return done
}

const bytesOf = (parts: readonly Uint8Array[]): number =>
  parts.reduce((sum, { byteLength }) => sum + byteLength, 0)

/**
 * Writes a stream to an open file, counting each part before it is written.
 * @param options.mostBytes fails once more arrive
 */
export async function writeStream(
  fd: number,
  body: AsyncIterable<Uint8Array>,
  position: number,
  quota: Quota,
  {
    onBytes = () => {},
    mostBytes = Number.POSITIVE_INFINITY,
  }: { onBytes?: ((total: number) => void) | undefined; mostBytes?: number } = {},
): Promise<number> {
  let end = position
  for await (const parts of gathered(body)) {
    const bytes = bytesOf(parts)
    if (end + bytes - position > mostBytes)
      throw new FileRefusal('file_too_large', 'More bytes were sent than the upload has.')
    quota.take(bytes)
    end += await writeParts(fd, parts, end)
    onBytes(end - position)
  }
  return end
}

/** What must hold for the existing file before it is replaced. */
export interface Condition {
  /** The etag that it must have; null for any. */
  readonly etag: string | null
  /** No file may exist there. */
  readonly absent: boolean
}

function check(place: Place, path: string, condition: Condition): void {
  const stats = lstatSync(place.at, { bigint: true, throwIfNoEntry: false })
  if (stats?.isDirectory()) throw new FileRefusal('is_a_folder', `${path} is a folder, not a file.`)
  if (stats && !stats.isFile()) throw new FileRefusal('file_forbidden', `${path} is not a file.`)
  if (condition.absent && stats)
    throw new FileRefusal('file_exists', `There is already something at ${path}.`)
  if (condition.etag === null) return
  if (!stats || etagOf(stats) !== condition.etag) throw changed(path)
}

const changed = (path: string) =>
  new FileRefusal('file_changed', `${path} has changed since it was read.`)

export interface Writing {
  readonly path: string
  readonly body: AsyncIterable<Uint8Array>
  readonly condition: Condition
  /** For a new file. */
  readonly mode: number
  /** Makes missing folders above. */
  readonly make: boolean
  readonly onBytes?: (total: number) => void
}

/**
 * Writes a file whole or not at all: to a temporary file, which replaces the old one in one step and
 * takes over its permissions.
 */
export async function writeFile(asker: Asker, quota: Quota, given: Writing): Promise<Entry> {
  const { path, condition } = given
  try {
    inPlaceToWrite(asker, path, false, (place) => check(place, path, condition))
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || !given.make) throw error
    // Made when everything has arrived.
    if (condition.etag !== null) throw changed(path)
  }
  const { tree } = asker
  const temporary = new Temporary(tree, quota)
  try {
    await writeStream(temporary.fd, given.body, 0, quota, { onBytes: given.onBytes })
    await fsync(temporary.fd)
    return inPlaceToWrite(asker, path, given.make, (place) => {
      // Again, because writing took a while. The kernel checks `absent` once more by itself.
      check(place, path, condition)
      return temporary.become(asker, place, path, condition.absent, given.mode)
    })
  } finally {
    temporary.drop()
  }
}

/** Moves a complete file to its place and returns its entry. */
export function settle(
  asker: Asker,
  source: { readonly fd: number; readonly at: string },
  place: Place,
  path: string,
  options: { readonly absent: boolean; readonly mode: number; readonly quota: Quota },
): Entry {
  const before = lstatSync(place.at, { throwIfNoEntry: false })
  // Without the bits that would run it as somebody else.
  const kept = before?.isFile() ? before.mode & 0o777 : options.mode
  if ((fstatSync(source.fd).mode & 0o777) !== kept) fchmodSync(source.fd, kept)
  if (options.absent) renameWithoutReplacing(source.at, place.at)
  else renameSync(source.at, place.at)
  if (before?.isFile() && before.nlink === 1) options.quota.take(-before.size)
  const entry = entryAt(asker, place, path)
  if (!entry) throw new FileRefusal('file_not_found', `${path} was deleted right away.`)
  return entry
}

/** A file in the hidden folder that is later moved to its path or deleted. */
export class Temporary {
  readonly fd: number
  readonly #folder: number
  readonly #quota: Quota
  readonly #name = randomUUID()

  constructor(tree: Tree, quota: Quota) {
    this.#quota = quota
    this.#folder = tree.hidden('temporary')
    try {
      const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL
      this.fd = openIn(this.#folder, this.#name, flags, 0o600)
    } catch (error) {
      closeSync(this.#folder)
      throw error
    }
  }

  become(asker: Asker, place: Place, path: string, absent: boolean, mode: number): Entry {
    return settle(asker, { fd: this.fd, at: at(this.#folder, this.#name) }, place, path, {
      absent,
      mode,
      quota: this.#quota,
    })
  }

  drop(): void {
    const { size } = fstatSync(this.fd)
    closeSync(this.fd)
    try {
      unlinkSync(at(this.#folder, this.#name))
      this.#quota.take(-size)
    } catch (error) {
      // It has been moved to its path.
      if (errorCode(error) !== 'ENOENT') throw error
    } finally {
      closeSync(this.#folder)
    }
  }
}
