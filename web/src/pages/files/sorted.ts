import type { Entry } from '@lodge/shared/files.ts'
import { isFolder } from './file-kind.ts'

const keys: Readonly<Record<string, (entry: Entry) => number>> = {
  size: (entry) => (isFolder(entry) ? 0 : entry.sizeBytes),
  modified: ({ modifiedAt }) => Date.parse(modifiedAt),
}

/** Folders first. The server returns them sorted by name. */
export function sorted(items: readonly Entry[], by: string | undefined): readonly Entry[] {
  const descending = by?.startsWith('-') === true
  const name = by?.replace(/^-/, '') ?? 'name'
  const key = keys[name]
  if (key === undefined && !descending) return items
  const ordered = key === undefined ? [...items].reverse() : [...items]
  if (key !== undefined)
    ordered.sort((one, other) => (descending ? key(other) - key(one) : key(one) - key(other)))
  // A stable partition: the order among folders and among files stays.
  return [...ordered.filter(isFolder), ...ordered.filter((entry) => !isFolder(entry))]
}
