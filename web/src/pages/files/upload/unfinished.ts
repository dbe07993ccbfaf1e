import { nameOf } from '../file-names.ts'

// tus-js-client stores the URL of each unfinished upload under `tus::<fingerprint>::<number>`.

const BEGINNING = 'tus::'

/** The same file to the same path resumes where it stopped, in every tab and after a reload. */
export const fingerprintOf = (serverId: string, path: string, file: File): string =>
  `lodge-files ${serverId} ${path} ${file.size} ${file.lastModified}`

export interface Unfinished {
  readonly key: string
  readonly path: string
  readonly size: number
  readonly modified: number
}

const PATTERN = /^tus::lodge-files (\S+) (.+) (\d+) (\d+)::\d+$/

/** Uploads to a server that an earlier visit did not finish. */
export function unfinishedOf(serverId: string): readonly Unfinished[] {
  try {
    return Object.keys(localStorage).flatMap((key): Unfinished[] => {
      const [, id, path, size, modified] = key.startsWith(BEGINNING)
        ? (PATTERN.exec(key) ?? [])
        : []
      if (id !== serverId || path === undefined) return []
      return [{ key, path, size: Number(size), modified: Number(modified) }]
    })
  } catch {
    // Storage is unavailable.
    return []
  }
}

export function forget(all: readonly Unfinished[]): void {
  for (const { key } of all) localStorage.removeItem(key)
}

/** The target path of each of these files, if it belongs to an unfinished upload. */
export const continuing = (
  all: readonly Unfinished[],
  files: readonly File[],
): readonly { readonly file: File; readonly path: string }[] =>
  files.flatMap((file) => {
    const found = all.find(
      ({ path, size, modified }) =>
        nameOf(path) === file.name && size === file.size && modified === file.lastModified,
    )
    return found ? [{ file, path: found.path }] : []
  })
