import { lstatSync } from 'node:fs'
import { type FileKind, FilePath, HIDDEN_FOLDER } from '@lodge/shared/files.ts'
import { z } from 'zod'
import { readDocument, writeDocument } from '../document.ts'
import { kindOf } from '../entry.ts'
import { namesIn } from '../list.ts'
import { FOLDER, openIn, rawAt, type Tree, using } from '../tree.ts'

/** Folder of the hidden folder with a folder for each deletion: its record, and entries by number. */
export const BIN = 'bin'
const RECORD = 'deletion.json'
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Only a server that writes to the hidden folder itself has more entries in it. */
const MOST_READ = 5_000

const Written = z.object({
  deletedAt: z.iso.datetime(),
  keptUntil: z.iso.datetime(),
  by: z.uuid().nullable(),
  entries: z
    .array(z.object({ path: FilePath, sizeBytes: z.int().min(0) }))
    .min(1)
    .max(1_000),
})
export type Written = z.infer<typeof Written>

/** What one request deleted, as far as it is still in the bin. */
export interface Deletion extends Omit<Written, 'entries'> {
  readonly id: string
  readonly entries: Map<number, Written['entries'][number]>
}

/**
 * Writes the record of a deletion. Called before its entries are moved, so that a crash leaves a record
 * without entries and never an entry whose former path is unknown.
 */
export const writeRecord = (folder: number, record: Written): number =>
  writeDocument(folder, RECORD, record)

/** Everything in the bin, oldest first, and what does not belong there. Makes nothing. */
export function readBin(tree: Tree): { deletions: Deletion[]; junk: Buffer[] } {
  const deletions: Deletion[] = []
  const junk: Buffer[] = []
  let bin: number
  try {
    bin = tree.open(`/${HIDDEN_FOLDER}/${BIN}`, FOLDER, 'refused')
  } catch {
    // Nothing was deleted yet, or the server put something else in its place.
    return { deletions, junk }
  }
  using(bin, () => {
    for (const { name } of namesIn(bin).slice(0, MOST_READ)) {
      const found = readDeletion(bin, name)
      if (found) deletions.push(found)
      else junk.push(name)
    }
  })
  return { deletions: deletions.sort(byAge), junk }
}

const byAge = (one: Deletion, two: Deletion): number =>
  one.deletedAt < two.deletedAt || (one.deletedAt === two.deletedAt && one.id < two.id) ? -1 : 1

function readDeletion(bin: number, name: Buffer): Deletion | undefined {
  const id = name.toString()
  if (!ID.test(id) || !lstatSync(rawAt(bin, name), { throwIfNoEntry: false })?.isDirectory()) return
  return using(openIn(bin, name, FOLDER), (folder) => {
    const record = readDocument(folder, RECORD, Written)
    if (!record) return undefined
    const entries = new Map(
      [...record.entries.entries()].filter(([index]) =>
        lstatSync(rawAt(folder, Buffer.from(`${index}`)), { throwIfNoEntry: false }),
      ),
    )
    return entries.size === 0 ? undefined : { ...record, id, entries }
  })
}

/** Undefined for an entry that the server took away. */
export function kindIn(tree: Tree, id: string, index: number): FileKind | undefined {
  try {
    return using(tree.open(`/${HIDDEN_FOLDER}/${BIN}/${id}`, FOLDER, 'refused'), (folder) => {
      return kindOf(lstatSync(rawAt(folder, Buffer.from(`${index}`))))
    })
  } catch {
    return undefined
  }
}
