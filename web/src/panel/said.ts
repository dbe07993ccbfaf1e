import type { Phrasebooks, Say, SayReason } from '@lodge/shared/phrases/phrasebook.ts'

const asItIs = <T>(said: T): T => said
let books: Phrasebooks = { say: asItIs, sayReason: asItIs }

/** Sets the phrasebooks with which texts of the server are translated from now on. */
export function sayWith(given: Phrasebooks): void {
  books = given
}

/**
 * Translates a text that Lodge declares outside the panel's catalogues, such as a permission or the
 * title of a problem or a job; returns it unchanged if there is no translation.
 */
export const said: Say = (text) => books.say(text)

/** The same for reasons, field errors and problems. */
export const saidReason: SayReason = <T>(reason: T) => books.sayReason(reason as never) as T

/** The same for a reason that may be missing. */
export const why = (reason: string | null | undefined): string | undefined =>
  reason === null || reason === undefined ? undefined : saidReason(reason)
