import type { Phrasebooks, Say, SayReason } from '@lodge/shared/phrases/phrasebook.ts'

const asItIs = <T>(said: T): T => said
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

/** The same for why something was refused or is not possible, what is wrong with a value, or a problem. */
export const saidReason: SayReason = <T>(told: T) => books.sayReason(told as never) as T

/** The same for a reason that may be missing. */
export const why = (reason: string | null | undefined): string | undefined =>
  reason === null || reason === undefined ? undefined : saidReason(reason)
