import { type FilterTerm, parseFilter } from '@lodge/shared/lists/filter.ts'
import type { FilterField } from './filter-box.tsx'

/** A field for filtering rows that are loaded completely. */
export interface RowField<T> extends FilterField {
  readonly of: (row: T) => string | readonly string[]
}

/** Whether a pattern, in which `*` matches anything, matches a whole text. */
function matches(pattern: string, text: string): boolean {
  const [head = '', ...parts] = pattern.split('*')
  const tail = parts.pop()
  if (tail === undefined) return text === head
  if (!text.startsWith(head) || text.length < head.length + tail.length) return false
  let at = head.length
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= text.length - tail.length && text.endsWith(tail)
}

function meets<T>(
  row: T,
  { field: name, values }: FilterTerm,
  fields: readonly RowField<T>[],
  textOf: (row: T) => string,
): boolean {
  if (name === null) return values.some((value) => textOf(row).toLowerCase().includes(value))
  const has = fields.find((field) => field.name === name)?.of(row) ?? []
  return [has].flat().some((one) => values.some((value) => matches(value, one.toLowerCase())))
}

/**
 * The rows that match a filter, by the rules that the server applies to long lists: values match as a
 * whole and case-insensitively, text anywhere.
 * @param textOf everything in which text is searched
 */
export function filterRows<T>(
  rows: readonly T[],
  filter: string,
  fields: readonly RowField<T>[],
  textOf: (row: T) => string,
): readonly T[] {
  const terms = parseFilter(
    filter.toLowerCase(),
    fields.map(({ name }) => name),
  )
  return rows.filter((row) => terms.every((term) => meets(row, term, fields, textOf)))
}
