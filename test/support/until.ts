import { PATIENCE_MS } from '../run/patience.ts'

/** The shortest and the default longest interval between two polls. */
const [LEAST_MS, MOST_MS] = [25, 200]

/**
 * Polls until there is a result: often at first, and less often the longer it takes, because polling
 * takes CPU from the work.
 * @param mostMs the longest interval, shorter for states that do not last
 */
export async function until<T>(
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = PATIENCE_MS,
  mostMs = MOST_MS,
): Promise<T> {
  const start = Date.now()
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    const waitedMs = Date.now() - start
    if (waitedMs > timeoutMs) throw new Error('what was waited for did not come')
    const pauseMs = Math.min(mostMs, Math.max(LEAST_MS, waitedMs / 20))
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
