import { readdir, readFile } from 'node:fs/promises'
import { isWhole, markWhole } from '@lodge/driver/storage/note.ts'
import { z } from 'zod'
import { writeWhole } from './files.ts'
import { type MachinePaths, machinePaths } from './layout.ts'

/** The record next to a machine's disks: what was created, known even without a domain. */
const DataRecord = z.object({
  generation: z.int(),
  run: z.int(),
  fingerprint: z.string(),
  uuid: z.string(),
  /**
   * Disks that were created: a missing one is never recreated, because that would hide the loss of
   * data.
   */
  disks: z.array(z.string()),
  firmware: z.boolean(),
  /** An installation or restore was begun and not completed. */
  unfinished: z.enum(['install', 'restore']).nullable(),
})
export type DataRecord = z.infer<typeof DataRecord>

/**
 * Reads the record; null when there is none or it is invalid. Of a machine on a shared storage, what
 * was made is said by the record there, even where this node has made nothing yet.
 */
export async function readData(paths: MachinePaths): Promise<DataRecord | null> {
  const own = await readOwnData(paths)
  if (paths.storage === null) return own
  const there = await readRecord(paths.contents)
  if (own === null || there === null) return own ?? there
  const { firmware, unfinished } = there
  // Files there that are older than what this node has made would otherwise get an empty disk.
  const disks = [...new Set([...there.disks, ...own.disks])]
  return { ...own, disks, firmware, unfinished }
}

/** What this node itself has made, without a look at a shared storage. */
export const readOwnData = ({ record }: MachinePaths): Promise<DataRecord | null> =>
  readRecord(record)

/** Beside the disks in a place that is not in place: from then on it is whole. */
export async function writeContents(there: MachinePaths, record: DataRecord): Promise<void> {
  await writeWhole(there.contents, JSON.stringify(record))
  if (there.storage === null) await markWhole(there.folder)
}

async function readRecord(file: string): Promise<DataRecord | null> {
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null) return null
  try {
    return DataRecord.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/**
 * While a whole copy lies on the disk of the node, its record keeps what concerns those files: an
 * installation or a restore of the ones on the shared storage leaves them as they are.
 */
export async function writeData(paths: MachinePaths, record: DataRecord): Promise<void> {
  if (paths.storage !== null) await writeWhole(paths.contents, JSON.stringify(record))
  const hasCopy = paths.storage !== null && (await isWhole(paths.folder))
  const own = hasCopy ? await readOwnData(paths) : null
  const { firmware, unfinished } = own ?? record
  await writeWhole(paths.record, JSON.stringify({ ...record, firmware, unfinished }))
}

/** Ids of the servers with a valid record below the folder. */
export async function listData(dataRoot: string): Promise<readonly string[]> {
  const names = await readdir(dataRoot).catch(() => [])
  const found = names.map(async (name) => {
    if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name)) return []
    const record = await readOwnData(machinePaths(dataRoot, name))
    return record ? [name] : []
  })
  return (await Promise.all(found)).flat()
}
