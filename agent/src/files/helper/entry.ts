import { type BigIntStats, fstatSync, lstatSync, readlinkSync, type Stats } from 'node:fs'
import type { Entry, FileKind } from '@lodge/shared/files.ts'
import type { Asker, Place } from './place.ts'
import { O_PATH } from './system.ts'
import { nameOf, using } from './tree.ts'

export function kindOf(stats: Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): FileKind {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'folder'
  return stats.isSymbolicLink() ? 'link' : 'other'
}

/** Changes whenever the content, the place on disk or the permissions of a file change. */
export const etagOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].map((part) => part.toString(36)).join('.')

/** @param path as the entry is shown */
export function entryOf(path: string, stats: BigIntStats): Entry {
  return {
    name: path === '/' ? '/' : nameOf(path),
    path,
    kind: kindOf(stats),
    sizeBytes: stats.isFile() ? Number(stats.size) : 0,
    modifiedAt: timeOf(stats),
    mode: (Number(stats.mode) & 0o7777).toString(8).padStart(4, '0'),
    etag: etagOf(stats),
  }
}

/** Times beyond the years of a date are shown as its first day. */
function timeOf({ mtimeMs }: BigIntStats): string {
  const date = new Date(Number(mtimeMs))
  const year = date.getUTCFullYear()
  return (year >= 0 && year <= 9999 ? date : new Date(0)).toISOString()
}

/** The entry at a place, shown under this path. Undefined when there is nothing. */
export function entryAt(asker: Asker, place: Place, path: string): Entry | undefined {
  const stats = lstatSync(place.at, { bigint: true, throwIfNoEntry: false })
  if (!stats) return undefined
  const entry = entryOf(path, stats)
  return entry.kind === 'link' ? { ...entry, ...linkOf(asker, place) } : entry
}

function linkOf({ tree, access }: Asker, place: Place): Pick<Entry, 'target' | 'targetKind'> {
  let target: string
  try {
    target = readlinkSync(place.at, { encoding: 'utf8' })
  } catch {
    return {}
  }
  try {
    return using(tree.open(place.path, O_PATH), (fd) =>
      access.sees(tree.pathOf(fd)) ? { target, targetKind: kindOf(fstatSync(fd)) } : { target },
    )
  } catch {
    return { target }
  }
}
