import type { BinList } from '@lodge/shared/deleted-files.ts'
import { MAX_LIST } from '@lodge/shared/files.ts'
import type { Access } from '../access.ts'
import type { Asker } from '../place.ts'
import type { Bin } from './bin.ts'
import { type Deletion, kindIn } from './records.ts'

export interface InBin {
  readonly deletion: Deletion
  readonly index: number
  readonly path: string
  readonly sizeBytes: number
}

export const idOf = ({ deletion, index }: InBin): string => `${deletion.id}.${index}`

/** The entries of the bin that a request may see: those that it could have read whole where they were. */
export function seenIn(bin: Bin, access: Access): InBin[] {
  return bin
    .deletions()
    .toReversed()
    .flatMap((deletion) =>
      [...deletion.entries].flatMap(([index, entry]) =>
        access.hasWhole(entry.path, 'read') ? [{ deletion, index, ...entry }] : [],
      ),
    )
}

/** One page of the bin, newest first. */
export function listBin(
  bin: Bin,
  { tree, access }: Asker,
  after: string | null,
  limit: number,
): BinList {
  const all = seenIn(bin, access)
  // If the last entry of the page before is gone, begin again.
  const begin = after === null ? 0 : all.findIndex((one) => idOf(one) === after) + 1
  const page = all.slice(begin, begin + Math.min(limit, MAX_LIST))
  const last = page.at(-1)
  const items = page.flatMap((one): BinList['items'] => {
    const { deletion, index, path, sizeBytes } = one
    const kind = kindIn(tree, deletion.id, index)
    if (kind === undefined) return []
    const { deletedAt, keptUntil, by } = deletion
    return [{ id: idOf(one), path, kind, sizeBytes, deletedAt, keptUntil, by }]
  })
  return {
    items,
    nextAfter: last && begin + page.length < all.length ? idOf(last) : null,
    usedBytes: bin.usedBytes,
  }
}
