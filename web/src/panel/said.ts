import type { Phrasebooks, Say } from '@lodge/shared/phrases/phrasebook.ts'

const asItIs: Say = (text) => text
let books: Phrasebooks = { say: asItIs, sayReason: asItIs }

/** Says texts of the server in the language of the panel from now on. */
export function sayWith(given: Phrasebooks): void {
  books = given
}

/**
 * A text that Lodge declares outside the panel's catalogues, such as a permission, the title of a problem
 * or of a job: in the language of the panel, or as it is where that has no words for it.
 */
export const said: Say = (text) => books.say(text)

/** The same for why something was refused or is not possible. */
export const saidReason: Say = (text) => books.sayReason(text)

/** The same for a reason that may be missing. */
export const why = (reason: string | null | undefined): string | undefined =>
  reason === null || reason === undefined ? undefined : saidReason(reason)
