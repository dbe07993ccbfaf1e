import type { Tone } from '@lodge/shared/theme/tokens.ts'

/**
 * The entry of a table for a value from the server. After an upgrade of the control plane, an open
 * tab may get a value that it does not know: `unknown` replaces it.
 */
export const entryOf = <K extends string, const V>(
  table: Readonly<Record<K, V>>,
  value: K,
  unknown: (word: string) => V,
): V => table[value] ?? unknown(value.replaceAll('_', ' '))

/** Its word in the table, or the API's. */
export const wordOf = <K extends string>(
  table: Readonly<Record<K, () => string>>,
  value: K,
): string => entryOf(table, value, (word) => () => word)()

/** Its colour in the table, or a neutral one. */
export const toneOf = <K extends string>(table: Readonly<Record<K, Tone>>, value: K): Tone =>
  entryOf(table, value, () => 'idle')
