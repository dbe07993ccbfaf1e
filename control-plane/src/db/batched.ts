/**
 * Answers single questions by one statement for all that are asked at about the same time: while one
 * is under way those that come wait for the next. A question is never answered by a statement that was
 * sent before it was asked, so nobody is told what was true before.
 * @param ask answers several keys at once; keys without an answer are left out
 * @param most keys of one statement
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
      // Whoever comes in the same turn of the event loop goes along.
      if (underWay === 0 && waiting.length === 1) setImmediate(() => void next())
    })
}

interface Question<Answer> {
  readonly key: string
  readonly resolve: (answer: Answer | undefined) => void
  readonly reject: (error: unknown) => void
}
