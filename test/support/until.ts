/** Polls until the result is there. */
export async function until<T>(
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = 20_000,
): Promise<T> {
  const end = Date.now() + timeoutMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (Date.now() > end) throw new Error('what was waited for did not come')
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
