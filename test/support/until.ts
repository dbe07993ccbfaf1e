/** The shortest and usually the longest time between two looks. */
const [LEAST_MS, MOST_MS] = [25, 200]

/**
 * Polls until the result is there: often in the beginning, and more rarely the longer it takes,
 * because looking costs time that what is waited for needs.
 * @param mostMs the longest time between two looks, shorter for what is soon over again
 */
export async function until<T>(
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = 20_000,
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
