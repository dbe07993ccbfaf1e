import { FILTER_MAX } from '@lodge/shared/lists/filter.ts'
import { z } from 'zod'

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
