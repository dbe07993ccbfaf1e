import { locale } from '../locale/timestamps.ts'

/** Sort keys for rows that are loaded completely; null is unknown. */
export type SortKeys<T> = Readonly<Record<string, (row: T) => string | number | null>>

const collators = new Map<string | undefined, Intl.Collator>()

function collator(): Intl.Collator {
  const language = locale()
  const known = collators.get(language)
  if (known) return known
  const made = new Intl.Collator(language, { numeric: true, sensitivity: 'base' })
  collators.set(language, made)
  return made
}

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number'
    ? a - b
    : collator().compare(String(a), String(b))
}

/**
 * The rows in an order such as `-created`; unknown values come last in either direction.
 * @param by undefined keeps the order of the input
 */
export function sortRows<T>(
  rows: readonly T[],
  by: string | undefined,
  keys: SortKeys<T>,
): readonly T[] {
  const descending = by?.startsWith('-') ?? false
  const key = by === undefined ? undefined : keys[descending ? by.slice(1) : by]
  if (!key) return rows
  return rows.toSorted((left, right) => {
    const [a, b] = [key(left), key(right)]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return descending ? compare(b, a) : compare(a, b)
  })
}
