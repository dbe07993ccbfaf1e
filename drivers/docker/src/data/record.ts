import { readFile, rename, writeFile } from 'node:fs/promises'

/**
 * The last applied server reference. It outlives the container, so that data without a container
 * can be identified.
 */
export interface ServerRecord {
  readonly serverId: string
  readonly generation: number
  readonly run: number
  readonly fingerprint: string
  readonly uid: number
}

/** Reads the record; null when there is none or it is invalid. */
export async function readRecord(path: string): Promise<ServerRecord | null> {
  try {
    const found: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isRecord(found) ? found : null
  } catch {
    return null
  }
}

/** Replaces the record atomically, so that a crash leaves the old or the new one. */
export async function writeRecord(path: string, record: ServerRecord): Promise<void> {
  const before = await readRecord(path)
  if (before && JSON.stringify(before) === JSON.stringify(record)) return
  await writeFile(`${path}.new`, JSON.stringify(record), { mode: 0o600 })
  await rename(`${path}.new`, path)
}

function isRecord(value: unknown): value is ServerRecord {
  if (value === null || typeof value !== 'object') return false
  const facts = new Map(Object.entries(value))
  const texts = ['serverId', 'fingerprint'].every((name) => typeof facts.get(name) === 'string')
  return texts && ['generation', 'run', 'uid'].every((name) => Number.isInteger(facts.get(name)))
}
