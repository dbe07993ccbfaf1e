import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

const lookEveryMs = 100
/** SQLite's result code while another process holds the lock. */
const BUSY = 5

/** Referenced for the life of the process: garbage collection would release the lock. */
const held = new Map<string, DatabaseSync>()

/** Another process holds the lock of a data folder. */
export class FolderInUse extends Error {}

/**
 * Takes the lock `<folder>/<name>.lock` for the rest of the process's life. The kernel holds it,
 * through SQLite, so it goes with the process however that ends. Throws `FolderInUse` with a
 * sentence for people.
 * @param options.variable the setting that chooses another folder
 * @param options.shared several may hold it at once, as long as nobody holds it alone
 * @param options.patienceMs how long to wait for a process that is just ending
 * @param options.waiting called once, when there is a process to wait for
 */
export async function lockFolder(
  folder: string,
  name: string,
  options: {
    variable: string
    shared?: boolean
    patienceMs?: number
    waiting?: (sentence: string) => void
  },
): Promise<void> {
  const { variable, shared = false, patienceMs = 0, waiting } = options
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const file = path.join(folder, `${name}.lock`)
  // Not readable for others: who can read a file can also lock it.
  closeSync(openSync(file, 'a', 0o600))
  const deadline = Date.now() + patienceMs
  for (let isWarned = false; !take(file, shared); isWarned = true) {
    const inUse = `${folder} is in use by another Lodge${processThatHolds(file)}`
    if (Date.now() >= deadline)
      throw new FolderInUse(`${inUse}. End it first, or choose another folder with ${variable}.`)
    if (!isWarned)
      waiting?.(`${inUse}; waiting up to ${Math.ceil(patienceMs / 1000)} s for it to end`)
    await pause(lookEveryMs)
  }
  tellHolder(file)
}

/** Gives a lock up before the process ends, for another process that goes on. */
export function unlockFolder(folder: string, name: string): void {
  const file = path.join(folder, `${name}.lock`)
  held.get(file)?.close()
  held.delete(file)
}

function take(file: string, shared: boolean): boolean {
  const database = new DatabaseSync(file)
  try {
    // A transaction has the shared lock from its first read on.
    database.exec(shared ? 'begin; select count(*) from sqlite_schema' : 'begin exclusive')
    held.set(file, database)
    return true
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === BUSY) return false
    throw error
  }
}

// The process id is in a file beside the lock: closing the locked file again would release the
// lock.
const holderFile = (file: string) => `${file}.pid`

function tellHolder(file: string): void {
  try {
    writeFileSync(holderFile(file), String(process.pid), { mode: 0o644 })
  } catch {
    // A full disk must not prevent a start; the other process's sentence just gets shorter.
  }
}

function processThatHolds(file: string): string {
  try {
    return ` (process ${Number(readFileSync(holderFile(file), 'utf8'))})`
  } catch {
    return ''
  }
}
