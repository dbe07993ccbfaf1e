import { setTimeout as delay } from 'node:timers/promises'

/** A delay of the knobs, which a signal cuts short. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (ms > 0) await delay(ms, undefined, { signal })
}
