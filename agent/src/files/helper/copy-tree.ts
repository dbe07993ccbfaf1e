import { type BigIntStats, constants, readlinkSync } from 'node:fs'
import { entriesAt } from './archive.ts'
import { Builder, type Looks } from './builder.ts'
import { kindOf } from './entry.ts'
import { pieces } from './pieces.ts'
import type { Asker } from './place.ts'
import type { Quota } from './quota.ts'
import { openIn, using } from './tree.ts'

export interface Copying {
  readonly signal: AbortSignal
  readonly skipped: (path: string, why: string) => void
  readonly copied: (bytes: number) => void
}

/** Copies what is at a path to a name in an open folder. Hard links stay hard links. */
export async function copyTree(
  asker: Asker,
  from: string,
  into: { readonly folder: number; readonly name: string },
  quota: Quota,
  options: Copying,
): Promise<{ entries: number; bytes: number }> {
  const builder = new Builder(into.folder, quota)
  const firstNames = new Map<string, readonly string[]>()
  let entries = 0
  let bytes = 0
  try {
    for await (const { place, stats, path, below } of entriesAt(asker, from, options)) {
      const names = [into.name, ...below]
      const looks = looksOf(stats)
      const kind = kindOf(stats)
      entries += 1
      if (kind === 'folder') builder.folder(names, looks)
      else if (kind === 'link') builder.link(names, readlinkSync(place.at), looks)
      else if (kind === 'other') options.skipped(path, 'it is neither a file nor a folder')
      else {
        const id = `${stats.dev}:${stats.ino}`
        const first = firstNames.get(id)
        if (first) {
          builder.hardLink(names, first)
          continue
        }
        if (stats.nlink > 1n) firstNames.set(id, names)
        const content = () =>
          using(openIn(place.folder, place.name, constants.O_RDONLY), (fd) =>
            builder.file(names, pieces(fd, Number(stats.size), options.signal), looks),
          )
        const size = await content()
        bytes += size
        options.copied(size)
      }
    }
    builder.finish()
  } finally {
    builder.close()
  }
  return { entries, bytes }
}

const looksOf = ({ mode, mtimeNs }: BigIntStats): Looks => ({
  mode: Number(mode) & 0o777,
  modifiedSeconds: Number(mtimeNs) / 1e9,
})
