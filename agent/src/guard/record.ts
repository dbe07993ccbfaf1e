import { randomUUID } from 'node:crypto'
import { appendFile, open, readFile, rename, stat, writeFile } from 'node:fs/promises'
import type { Ended } from './lease-watch.ts'

/** One line of the record. */
export interface Recorded extends Ended {
  readonly id: string
  readonly at: string
}

const MOST_BYTES = 256 * 1024
const KEPT_LINES = 500

/**
 * Adds to the record of what the guard has ended, durably. Ending comes first: a disk that is full or
 * hangs must not delay it, so nothing waits for this.
 */
export async function record(file: string, ended: Ended): Promise<void> {
  const entry: Recorded = { id: randomUUID(), at: new Date().toISOString(), ...ended }
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  )
  if (size > MOST_BYTES) await shorten(file)
  await appendFile(file, `${JSON.stringify(entry)}\n`, { mode: 0o600, flush: true })
}

/** The record, oldest first. */
export async function recorded(file: string): Promise<Recorded[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as Recorded]
    } catch {
      // The last line may be torn by a power cut.
      return []
    }
  })
}

async function shorten(file: string): Promise<void> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n').slice(-KEPT_LINES)
  await writeFile(`${file}.new`, `${lines.join('\n')}\n`, { mode: 0o600 })
  const written = await open(`${file}.new`, 'r')
  await written.sync().finally(() => written.close())
  await rename(`${file}.new`, file)
}
