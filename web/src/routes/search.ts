/** What the query part of an address may hold. Anything else in it is dropped. */

export type Raw = Record<string, unknown>

/** A text that is not empty. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== ''
    ? value
    : typeof value === 'number'
      ? String(value)
      : undefined

/** Only the fields that have a value, so that addresses stay short. */
export function given<T extends object>(
  fields: T,
): Partial<{ [K in keyof T]: Exclude<T[K], undefined> }> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<{ [K in keyof T]: Exclude<T[K], undefined> }>
}

/** Of a list in pages. */
export const pageSearch = (raw: Raw) => given({ after: text(raw.after) })
/** Of a list in pages that can be searched. */
export const listSearch = (raw: Raw) => given({ q: text(raw.q), after: text(raw.after) })
