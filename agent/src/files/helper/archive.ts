import { type BigIntStats, constants, fstatSync, readlinkSync } from 'node:fs'
import type { Readable } from 'node:stream'
import type { ArchiveFormat, FileRight } from '@lodge/shared/files.ts'
import { FileRefusal } from '../refusal.ts'
import type { ArchiveWriter, Packed } from './archive-writer.ts'
import { kindOf } from './entry.ts'
import { paddedPieces } from './pieces.ts'
import { type Asker, inPlace } from './place.ts'
import { tarWriter } from './tar-writer.ts'
import { folderOf, openIn, using } from './tree.ts'
import { type Walked, type WalkOptions, walk } from './walk.ts'
import { zipWriter } from './zip-writer.ts'

export interface Archiving {
  readonly paths: readonly string[]
  readonly format: ArchiveFormat
  readonly signal: AbortSignal
  readonly skipped: (path: string, why: string) => void
  /** Told about each entry with its size, before its content. */
  readonly added?: (size: number) => void
}

/** The archive of some paths, as it is read. A failure on the way destroys the stream. */
export function archive(asker: Asker, given: Archiving): Readable {
  // Refused now, while the answer can still say so.
  for (const path of given.paths) requirePath(asker, path)
  const writer = given.format === 'zip' ? zipWriter() : tarWriter(given.format)
  const fail = (error: unknown) =>
    writer.output.destroy(error instanceof Error ? error : new Error(String(error)))
  given.signal.addEventListener('abort', () => fail(given.signal.reason), { once: true })
  pack(asker, given, writer).then(() => writer.finish(), fail)
  return writer.output
}

function requirePath(asker: Asker, path: string): void {
  if (path === '/') asker.access.requireList(path)
  else inPlace(asker, path, 'read', () => {})
}

async function pack(asker: Asker, given: Archiving, writer: ArchiveWriter): Promise<void> {
  const base = commonFolder(given.paths)
  const firstNames = new Map<string, string>()
  for (const start of given.paths) {
    for await (const found of entriesAt(asker, start, given)) {
      const name = found.path.slice(base === '/' ? 1 : base.length + 1)
      if (name !== '') await add(writer, found, name, firstNames, given)
    }
  }
}

/** Everything at a path; of the server's own folder, what it contains. */
export async function* entriesAt(
  asker: Asker,
  start: string,
  options: WalkOptions & { readonly right?: FileRight },
): AsyncGenerator<Walked> {
  if (start === '/') {
    yield* walk(asker, rootPlace(asker), '/', options)
    return
  }
  const ending = Promise.withResolvers<void>()
  const place = await new Promise<Parameters<typeof walk>[1]>((resolve, reject) => {
    // The folder above stays open until the walk has ended.
    try {
      void inPlace(asker, start, options.right ?? 'read', (found) => {
        resolve(found)
        return ending.promise
      })
    } catch (error) {
      reject(error)
    }
  })
  try {
    yield* walk(asker, place, start, options)
  } finally {
    ending.resolve()
  }
}

const rootPlace = ({ tree }: Asker) => ({
  folder: tree.fd,
  name: '.',
  path: '/',
  at: `/proc/self/fd/${tree.fd}/.`,
})

async function add(
  writer: ArchiveWriter,
  { place, stats, path }: Walked,
  name: string,
  firstNames: Map<string, string>,
  { signal, skipped, added }: Archiving,
): Promise<void> {
  const entry = packed(name, stats)
  switch (kindOf(stats)) {
    case 'folder':
      added?.(0)
      return await writer.folder(entry)
    case 'link':
      added?.(0)
      return await writer.link(entry, readlinkSync(place.at))
    case 'other':
      return skipped(path, 'it is neither a file nor a folder')
  }
  const id = `${stats.dev}:${stats.ino}`
  const first = firstNames.get(id)
  if (first !== undefined && writer.hardLink) return await writer.hardLink(entry, first)
  let fd: number
  try {
    fd = openIn(place.folder, place.name, constants.O_RDONLY)
  } catch {
    return skipped(path, 'it could not be opened')
  }
  await using(fd, async () => {
    const now = fstatSync(fd, { bigint: true })
    if (!now.isFile()) return skipped(path, 'it was replaced meanwhile')
    if (now.nlink > 1n) firstNames.set(id, name)
    const size = Number(now.size)
    added?.(size)
    await writer.file(packed(name, now), size, paddedPieces(fd, size, signal))
  })
}

const packed = (name: string, { mode, mtimeNs }: BigIntStats): Packed => ({
  name,
  mode: Number(mode) & 0o777,
  modifiedNs: mtimeNs,
})

/** The deepest folder that holds all of the paths. */
function commonFolder(paths: readonly string[]): string {
  let common = paths[0] === '/' ? '/' : folderOf(paths[0] ?? '/')
  for (const path of paths) {
    while (common !== '/' && !path.startsWith(`${common}/`)) common = folderOf(common)
  }
  return common
}

/** The archive that a content is, by its first bytes. */
export function formatOf(head: Uint8Array): 'zip' | '7z' | 'gzip' | 'zstd' | 'tar' {
  const starts = (...bytes: number[]) => bytes.every((byte, index) => head[index] === byte)
  if (starts(0x50, 0x4b, 0x03, 0x04) || starts(0x50, 0x4b, 0x05, 0x06)) return 'zip'
  if (starts(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c)) return '7z'
  if (starts(0x1f, 0x8b)) return 'gzip'
  if (starts(0x28, 0xb5, 0x2f, 0xfd)) return 'zstd'
  if (Buffer.from(head.subarray(257, 262)).toString('latin1') === 'ustar') return 'tar'
  throw new FileRefusal(
    'invalid_archive',
    'This is no archive that can be unpacked: zip, 7z, tar, tar.gz or tar.zst.',
  )
}
