import { readdir, readFile } from 'node:fs/promises'
import { z } from 'zod'
import { writeWhole } from './files.ts'
import { type MachinePaths, machinePaths } from './layout.ts'

/** What lies beside a machine's disks: what was made of them, also while there is no domain. */
const DataRecord = z.object({
  generation: z.int(),
  run: z.int(),
  fingerprint: z.string(),
  uuid: z.string(),
  /** Disks that were made: one of them that is gone is never made again. */
  disks: z.array(z.string()),
  firmware: z.boolean(),
  /** An installation or a restore has begun and was not finished. */
  unfinished: z.enum(['install', 'restore']).nullable(),
})
export type DataRecord = z.infer<typeof DataRecord>

/** Null when there is nothing, or nothing that can be read. */
export async function readData(paths: MachinePaths): Promise<DataRecord | null> {
  const text = await readFile(paths.record, 'utf8').catch(() => null)
  if (text === null) return null
  try {
    return DataRecord.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

export function writeData(paths: MachinePaths, record: DataRecord): Promise<void> {
  return writeWhole(paths.record, JSON.stringify(record))
}

/** Ids of the servers that have a finished record below the folder. */
export async function listData(dataRoot: string): Promise<readonly string[]> {
  const names = await readdir(dataRoot).catch(() => [])
  const found = names.map(async (name) => {
    if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name)) return []
    const record = await readData(machinePaths(dataRoot, name))
    return record ? [name] : []
  })
  return (await Promise.all(found)).flat()
}
