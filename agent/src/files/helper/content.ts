import { type BigIntStats, closeSync, constants, fstatSync } from 'node:fs'
import { FileRefusal } from '../refusal.ts'
import { etagOf } from './entry.ts'
import type { Asker } from './place.ts'

export interface Opened {
  readonly stats: BigIntStats
  readonly etag: string
  readonly fd: number
  close(): void
}

/** Opens a regular file for reading, wherever it leads beneath the server's folder. */
export function openContent({ tree, access }: Asker, path: string): Opened {
  access.require(path, 'read')
  const fd = tree.open(path, constants.O_RDONLY)
  try {
    access.require(tree.pathOf(fd), 'read')
    const stats = fstatSync(fd, { bigint: true })
    if (stats.isDirectory())
      throw new FileRefusal('is_a_folder', `${path} is a folder, not a file.`)
    // A pipe would never end, and a device is none of the server's files.
    if (!stats.isFile()) throw new FileRefusal('file_forbidden', `${path} is not a file.`)
    return {
      stats,
      etag: etagOf(stats),
      fd,
      close: () => closeSync(fd),
    }
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

export interface Range {
  readonly start: number
  /** Inclusive, as in HTTP. */
  readonly end: number
}

/**
 * The range that a header asks for; undefined for the whole file, also for a list of ranges.
 * @throws FileRefusal for one that begins beyond the end
 */
export function rangeOf(header: string | undefined, size: number): Range | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  if (!match) return undefined
  const [, from = '', to = ''] = match
  if (from === '' && to === '') return undefined
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (start > end) throw new FileRefusal('invalid_range', 'The file is shorter than that.')
  return { start, end }
}
