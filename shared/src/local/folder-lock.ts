import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

const lookEveryMs = 100
/** SQLite's result code while another process holds the lock. */
const BUSY = 5

/** What gives back the locks that this process holds for the rest of its life. */
const held = new Map<string, () => void>()

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
  const deadline = Date.now() + patienceMs
  for (let isWarned = false; ; isWarned = true) {
    const giveBack = tryLock(file, shared)
    if (giveBack) {
      held.set(file, giveBack)
      break
    }
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
  held.get(file)?.()
  held.delete(file)
}

/** Referenced until they are given back: garbage collection would release the locks. */
const locks = new Set<DatabaseSync>()

/**
 * Takes the lock of a file, which it makes. The kernel gives it back, too, when the process ends.
 * @returns what gives it back; null while somebody else holds it, in this process or another
 */
export function tryLock(file: string, shared = false): (() => void) | null {
  make(file)
  const database = new DatabaseSync(file)
  try {
    // A transaction has the shared lock from its first read on.
    database.exec(shared ? 'begin; select count(*) from sqlite_schema' : 'begin exclusive')
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === BUSY) return null
    throw error
  }
  locks.add(database)
  return () => {
    if (locks.delete(database)) database.close()
  }
}

/**
 * Not readable for others: who can read a file can also lock it. One that is there is not opened,
 * because closing it again would release the lock, if this process holds it.
 */
function make(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}

// The process id is in a file beside the lock for the same reason.
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
