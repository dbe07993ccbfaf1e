/**
 * Batches single lookups: those that arrive while a statement is running share the next one. A
 * lookup is never answered by a statement sent before it arrived, so no caller sees stale data.
 * @param ask looks up several keys at once and omits keys without a result
 * @param most keys per statement
 */
export function batched<Answer>(
  ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, Answer>>,
  most = 32,
): (key: string) => Promise<Answer | undefined> {
  let waiting: Question<Answer>[] = []
  let underWay = 0

  async function next(): Promise<void> {
    const questions = waiting.slice(0, most)
    waiting = waiting.slice(most)
    underWay++
    try {
      const answers = await ask([...new Set(questions.map(({ key }) => key))])
      for (const { key, resolve } of questions) resolve(answers.get(key))
    } catch (error) {
      for (const { reject } of questions) reject(error)
    } finally {
      underWay--
      if (waiting.length > 0) void next()
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      // Defer to the end of this turn, so that lookups of the same turn share the statement.
      if (underWay === 0 && waiting.length === 1) setImmediate(() => void next())
    })
}

interface Question<Answer> {
  readonly key: string
  readonly resolve: (answer: Answer | undefined) => void
  readonly reject: (error: unknown) => void
}
