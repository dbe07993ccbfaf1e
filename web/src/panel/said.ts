import type { Phrasebooks, SaidProblem, Say } from '@lodge/shared/phrases/phrasebook.ts'

const asItIs = <T>(said: T): T => said
let books: Phrasebooks = { say: asItIs, sayReason: asItIs, sayProblem: asItIs }

/** Says texts of the server in the language of the panel from now on. */
export function sayWith(given: Phrasebooks): void {
  books = given
}

/**
 * A text that Lodge declares outside the panel's catalogues, such as a permission, the title of a problem
 * or of a job: in the language of the panel, or as it is where that has no words for it.
 */
export const said: Say = (text) => books.say(text)

/** The same for why something was refused or is not possible, and what is wrong with a value. */
export const saidReason: Say = (text) => books.sayReason(text)

/** The same for a whole problem. */
export const saidProblem = <P extends SaidProblem>(problem: P): P => books.sayProblem(problem)

/** The same for a reason that may be missing. */
export const why = (reason: string | null | undefined): string | undefined =>
  reason === null || reason === undefined ? undefined : saidReason(reason)
