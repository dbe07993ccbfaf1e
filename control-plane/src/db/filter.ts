import { FILTER_MAX, type FilterTerm } from '@lodge/shared/lists/filter.ts'
import { type Column, ilike, or, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { likePattern } from './like.ts'

/**
 * The `filter` of a list: the text of its filter box.
 * @param example for the API reference
 */
export const filterOf = (fields: readonly string[], example: string) =>
  z
    .string()
    .trim()
    .max(FILTER_MAX)
    .describe(`words that all apply, such as \`${example}\`; fields: ${fields.join(', ')}`)
    .optional()

/** Text anywhere in one of these columns, in any case of letters. */
export function containedIn(columns: readonly Column[], text: string): SQL | undefined {
  const pattern = `%${likePattern(text)}%`
  return or(...columns.map((column) => ilike(column, pattern)))
}

/** A column whose values are a few words in small letters: compared as a whole, by its index. */
export const exactly =
  (column: Column) =>
  (value: string): SQL =>
    sql`${column} = ${value.toLowerCase()}`

/** Matches the whole value, ignoring case; `*` matches anything. */
export const like =
  (column: Column) =>
  (value: string): SQL =>
    ilike(column, likePattern(value, { stars: true }))

/** The condition for a value of each field. */
export type Matches<F extends string> = Readonly<Record<F, (value: string) => SQL>>

/**
 * The condition of each term.
 * @param searched where a term without a field is searched for: columns, or a condition
 */
export const conditionsOf = <F extends string>(
  terms: readonly FilterTerm[],
  matches: Matches<F>,
  searched: readonly Column[] | ((text: string) => SQL),
): (SQL | undefined)[] =>
  terms.map(({ field, values }) => {
    if (field !== null) return or(...values.map(matches[field as F]))
    const [text = ''] = values
    return typeof searched === 'function' ? searched(text) : containedIn(searched, text)
  })
