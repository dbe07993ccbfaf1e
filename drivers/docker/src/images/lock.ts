import { setTimeout as delay } from 'node:timers/promises'
import { tryLock } from '@lodge/shared/local/folder-lock.ts'

const LOOK_EVERY_MS = 250

/**
 * Runs the work while holding the lock of a file, to serialize the builds of this machine. However a
 * process ends, the kernel gives its lock back. Throws the signal's reason when aborted while
 * waiting.
 */
export async function holdingLock<T>(
  file: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    signal.throwIfAborted()
    const giveBack = tryLock(file)
    if (giveBack) return await work().finally(giveBack)
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}
