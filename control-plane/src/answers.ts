/**
 * A query that a lower domain needs but only a higher one can answer, because it owns the tables.
 * The lower domain declares the question next to its rules; the owner answers it in its
 * declaration.
 */
export class Question<Ask extends (...given: never[]) => Promise<unknown>> {
  readonly name: string
  /** Type-only: parameters and result. */
  declare readonly ask: Ask

  constructor(name: string) {
    this.name = name
  }
}

// `answer` checks a question against its answer; past that point the types are erased.
type AnyAsk = (...given: never[]) => Promise<unknown>

export interface Answer {
  readonly question: Question<AnyAsk>
  readonly by: AnyAsk
}

export const answer = <Ask extends AnyAsk>(question: Question<Ask>, by: NoInfer<Ask>): Answer => ({
  question,
  by,
})

/** The registry of all answers. */
export class Answers {
  readonly #by: ReadonlyMap<Question<AnyAsk>, AnyAsk>

  /** @throws if a question has two answers */
  constructor(answers: readonly Answer[]) {
    this.#by = new Map(answers.map(({ question, by }) => [question, by]))
    if (this.#by.size < answers.length) throw new Error('A question has two answers')
  }

  /** The answer to a question that may have none; undefined if it has none. */
  find<Ask extends AnyAsk>(question: Question<Ask>): Ask | undefined {
    return this.#by.get(question) as Ask | undefined
  }

  /** @throws if no domain answers the question */
  to<Ask extends AnyAsk>(question: Question<Ask>): Ask {
    const by = this.#by.get(question)
    if (!by) throw new Error(`No domain answers: ${question.name}`)
    return by as Ask
  }
}
