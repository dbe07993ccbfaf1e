/**
 * Something that a domain has to know and only one above it can tell, because the tables are that one's. The
 * lower domain declares the question beside its rules; the owner answers in its declaration.
 */
export class Question<Ask extends (...given: never[]) => Promise<unknown>> {
  readonly name: string
  /** Only for types: what is asked for, and what is answered. */
  declare readonly ask: Ask

  constructor(name: string) {
    this.name = name
  }
}

// The types of a question and its answer are compared where they meet, and erased afterwards.
type AnyAsk = (...given: never[]) => Promise<unknown>

export interface Answer {
  readonly question: Question<AnyAsk>
  readonly by: AnyAsk
}

export const answer = <Ask extends AnyAsk>(question: Question<Ask>, by: NoInfer<Ask>): Answer => ({
  question,
  by,
})

/** All answers there are. */
export class Answers {
  readonly #by: ReadonlyMap<Question<AnyAsk>, AnyAsk>

  /** @throws where a question is answered twice */
  constructor(answers: readonly Answer[]) {
    this.#by = new Map(answers.map(({ question, by }) => [question, by]))
    if (this.#by.size < answers.length) throw new Error('A question has two answers')
  }

  /** @throws where no part of Lodge answers it */
  to<Ask extends AnyAsk>(question: Question<Ask>): Ask {
    const by = this.#by.get(question)
    if (!by) throw new Error(`No domain answers: ${question.name}`)
    return by as Ask
  }
}
