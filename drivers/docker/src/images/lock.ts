import { readFile, rm, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from '@lodge/shared/error-code.ts'

const LOOK_EVERY_MS = 250

/**
 * Runs the work while holding a lock file, to serialize processes of this machine. A lock whose
 * process is gone is ignored. Throws the signal's reason when aborted while waiting.
 */
export async function holdingLock<T>(
  file: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    signal.throwIfAborted()
    try {
      await writeFile(file, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
    const owner = Number(await readFile(file, 'utf8').catch(() => ''))
    if (owner > 0 && !isAlive(owner)) await rm(file, { force: true })
    else await delay(LOOK_EVERY_MS, undefined, { signal })
  }
  try {
    return await work()
  } finally {
    await rm(file, { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
