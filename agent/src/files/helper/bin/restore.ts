import { lstatSync } from 'node:fs'
import type { BinDropped, BinRestored } from '@lodge/shared/deleted-files.ts'
import { errorCode } from '@lodge/shared/error-code.ts'
import type { FileRight } from '@lodge/shared/files.ts'
import { FileRefusal } from '../../refusal.ts'
import { entryAt } from '../entry.ts'
import { type Asker, inPlace, makeFolder, type Place } from '../place.ts'
import { moveAway } from '../remove.ts'
import { renameWithoutReplacing } from '../system.ts'
import { at, folderOf, join, nameOf } from '../tree.ts'
import type { Bin } from './bin.ts'
import { namesFor } from './free-name.ts'
import { type InBin, idOf, seenIn } from './list-bin.ts'

/**
 * Moves entries back to where they were, with the folders above them. What has a name that was taken
 * meanwhile gets another one beside it: nothing is ever replaced.
 */
export function restore(bin: Bin, asker: Asker, ids: readonly string[]): BinRestored {
  const picked = pick(bin, asker, ids, 'write')
  // Folders before what was deleted from them earlier.
  picked.sort((one, two) => one.path.split('/').length - two.path.split('/').length)
  return { items: picked.map((one) => restoreOne(bin, asker, one)) }
}

/** Deletes entries for good. */
export const dropPicked = (bin: Bin, asker: Asker, ids: readonly string[]): Promise<BinDropped> =>
  drop(bin, pick(bin, asker, ids, 'delete'))

/** Deletes everything for good that whoever asks may delete. */
export const empty = (bin: Bin, { access }: Asker): Promise<BinDropped> =>
  drop(
    bin,
    seenIn(bin, access).filter(({ path }) => access.hasWhole(path, 'delete')),
  )

async function drop(bin: Bin, picked: readonly InBin[]): Promise<BinDropped> {
  await bin.drop(picked.map(({ deletion, index }) => ({ id: deletion.id, index })))
  return { items: picked.map(({ path }) => ({ path })) }
}

/**
 * The entries that ids stand for.
 * @throws FileRefusal for what is not there, and for what may not be done with all of them
 */
function pick(bin: Bin, { access }: Asker, ids: readonly string[], right: FileRight): InBin[] {
  const wanted = new Set(ids)
  const picked = seenIn(bin, access).filter(
    (one) => wanted.has(one.deletion.id) || wanted.has(idOf(one)),
  )
  const found = new Set(picked.flatMap((one) => [one.deletion.id, idOf(one)]))
  if (ids.some((id) => !found.has(id)))
    throw new FileRefusal('file_not_found', 'It is no longer among the deleted files.')
  for (const { path } of picked) {
    access.require(path, right)
    access.requireWhole(path)
  }
  return picked
}

function restoreOne(
  bin: Bin,
  asker: Asker,
  { deletion, index, path }: InBin,
): BinRestored['items'][number] {
  const { access } = asker
  makeFolder(asker, folderOf(path))
  let entry: BinRestored['items'][number]['entry'] | undefined
  bin.take(deletion.id, index, (folder, name) => {
    const { mode } = lstatSync(at(folder, name))
    for (const free of namesFor(nameOf(path))) {
      const to = join(folderOf(path), free)
      const moved = inPlace(asker, to, 'write', (place: Place) => {
        for (const one of [to, place.path]) access.requireWhole(one)
        return movedTo(place, folder, name, mode & 0o777) && entryAt(asker, place, to)
      })
      if (moved === false) continue
      entry = moved
      return
    }
    throw new FileRefusal('file_exists', `Too many files are called as ${path} was.`)
  })
  if (!entry) throw new FileRefusal('file_not_found', `${path} was deleted right away.`)
  return { path, entry }
}

/** False when the name is taken. */
function movedTo(place: Place, folder: number, name: string, mode: number): boolean {
  try {
    moveAway(folder, name, place.at, mode, renameWithoutReplacing)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}
