import { fstatSync, readSync } from 'node:fs'
import { Readable } from 'node:stream'
import { errorCode } from '@lodge/shared/error-code.ts'
import { FileRefusal } from '../refusal.ts'
import { formatOf } from './archive.ts'
import { type ArchiveEntry, invalid } from './archive-entry.ts'
import { Builder } from './builder.ts'
import { pieces } from './pieces.ts'
import type { Quota } from './quota.ts'
import { readSevenZip } from './seven-zip-reader.ts'
import { readTar } from './tar-reader.ts'
import { readZip } from './zip-reader.ts'

const MAX_ENTRIES = 1_000_000
const MAX_DEPTH = 200
/** How many times its size an archive may unpack to: more than honest ones do, less than a bomb does. */
const MAX_RATIO = 1_000
const ALWAYS_BYTES = 256 * 1024 * 1024

export interface Extracting {
  /** Path of the finished tree below the server's root, against which the targets of links are judged. */
  readonly to: readonly string[]
  readonly signal: AbortSignal
  readonly skipped: (path: string, why: string) => void
  /** Told how much of the archive has been read, up to 1. */
  readonly progress: (part: number) => void
}

/** Unpacks an open archive into an open, empty folder. */
export async function extract(
  archive: number,
  into: number,
  quota: Quota,
  given: Extracting,
): Promise<{ entries: number; bytes: number }> {
  const { size } = fstatSync(archive)
  const head = Buffer.alloc(512)
  readSync(archive, head, 0, 512, 0)
  const format = formatOf(head)
  const most = Math.max(ALWAYS_BYTES, size * MAX_RATIO)
  const builder = new Builder(into, quota)
  let entries = 0
  let bytes = 0
  const bounded = async function* (content: AsyncIterable<Uint8Array>) {
    try {
      for await (const piece of content) {
        bytes += piece.byteLength
        if (bytes > most) throw invalid('it would become far larger than any honest archive')
        yield piece
        given.signal.throwIfAborted()
      }
    } catch (error) {
      if (error instanceof FileRefusal || given.signal.aborted) throw error
      throw invalid('it is damaged', error)
    }
  }
  const found = entriesOf(archive, size, format, given)
  try {
    for await (const entry of found) {
      given.signal.throwIfAborted()
      entries += 1
      if (entries > MAX_ENTRIES) throw invalid('it has more than a million entries')
      await build(builder, entry, given, bounded)
    }
    builder.finish()
  } finally {
    builder.close()
  }
  return { entries, bytes }
}

function entriesOf(
  archive: number,
  size: number,
  format: ReturnType<typeof formatOf>,
  given: Extracting,
): AsyncIterable<ArchiveEntry> {
  if (format === 'zip') return readZip(archive, given.progress)
  if (format === '7z') return readSevenZip(archive, size, given.progress)
  return readTar(Readable.from(counted(archive, size, given)), format)
}

async function build(
  builder: Builder,
  entry: ArchiveEntry,
  { to, skipped }: Extracting,
  bounded: (content: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
): Promise<void> {
  const names = namesOf(entry.name)
  if (names.length === 0) return
  switch (entry.kind) {
    case 'folder':
      return builder.folder(names, entry.looks)
    case 'file':
      await builder.file(names, bounded(entry.content ?? nothing()), entry.looks)
      return
    case 'hard-link':
      try {
        return builder.hardLink(names, namesOf(entry.target ?? ''))
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw error
        return skipped(entry.name, 'it is another name of a file that the archive lacks')
      }
    case 'link':
      if (!staysBeneath([...to, ...names.slice(0, -1)], entry.target ?? ''))
        return skipped(entry.name, 'it is a link that leads out of the server')
      return builder.link(names, entry.target ?? '', entry.looks)
    case 'other':
      skipped(entry.name, 'it is neither a file nor a folder')
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** The parts of an entry's name. Names that lead anywhere else make the whole archive suspect. */
function namesOf(name: string): string[] {
  if (name.startsWith('/') || name.includes('\0')) throw invalid(`it has the entry ${shown(name)}`)
  const names = name.split('/').filter((part) => part !== '' && part !== '.')
  const bad = names.some((part) => part === '..' || Buffer.byteLength(part) > 255)
  if (bad || names.length > MAX_DEPTH) throw invalid(`it has the entry ${shown(name)}`)
  return names
}

const shown = (name: string) => JSON.stringify(name.slice(0, 200))

function staysBeneath(folder: readonly string[], target: string): boolean {
  if (target === '' || target.startsWith('/') || target.includes('\0')) return false
  let depth = folder.length
  for (const part of target.split('/')) {
    if (part === '..') depth -= 1
    else if (part !== '' && part !== '.') depth += 1
    if (depth < 0) return false
  }
  return true
}

async function* counted(fd: number, size: number, { progress, signal }: Extracting) {
  let done = 0
  for await (const piece of pieces(fd, size, signal)) {
    done += piece.length
    progress(done / size)
    yield piece
  }
}
