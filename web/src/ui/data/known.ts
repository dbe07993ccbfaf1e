import type { Tone } from '@lodge/shared/theme/tokens.ts'

/**
 * The entry of a table for a value of the server. A control plane that was upgraded while this tab was
 * open may tell one that the tab does not know: `unknown` stands for it.
 */
export const entryOf = <K extends string, const V>(
  table: Readonly<Record<K, V>>,
  value: K,
  unknown: (word: string) => V,
): V => table[value] ?? unknown(value.replaceAll('_', ' '))

/** Its word, or that of the API. */
export const wordOf = <K extends string>(
  table: Readonly<Record<K, () => string>>,
  value: K,
): string => entryOf(table, value, (word) => () => word)()

/** Its colour, or one that says nothing. */
export const toneOf = <K extends string>(table: Readonly<Record<K, Tone>>, value: K): Tone =>
  entryOf(table, value, () => 'idle')
