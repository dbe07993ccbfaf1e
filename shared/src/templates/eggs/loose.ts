/** Defensive reading of sloppy documents: every function accepts anything. */

export type Loose = Readonly<Record<string, unknown>>

/** The value as an object; undefined when it is none. A list is not an object. */
export function objectOf(value: unknown): Loose | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined
}

/** The object itself, or the one that the text holds as JSON; undefined when there is none. */
export function objectOrJson(value: unknown): Loose | undefined {
  if (typeof value !== 'string') return objectOf(value)
  if (value.trim() === '') return {}
  try {
    const parsed: unknown = JSON.parse(value)
    return Array.isArray(parsed) && parsed.length === 0 ? {} : objectOf(parsed)
  } catch {
    return undefined
  }
}

/** An own property, never an inherited one. */
export const own = (object: Loose | undefined, key: string): unknown =>
  object && Object.hasOwn(object, key) ? object[key] : undefined

/** Text of a scalar with line ends normalised to LF; undefined for null, lists and objects. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '')
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return undefined
}

/** One line of visible text, cut to `max` characters. */
export function lineOf(value: unknown, max: number): string {
  return (textOf(value) ?? '')
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, max)
    .trim()
}

export function booleanOf(value: unknown, otherwise: boolean): boolean {
  if (typeof value === 'boolean') return value
  if (value === 1 || value === '1' || value === 'true') return true
  if (value === 0 || value === '0' || value === 'false') return false
  return otherwise
}

/** The texts of a list, or of the values of an object; anything else is an empty list. */
export function textsOf(value: unknown): string[] {
  const items = typeof value === 'object' && value !== null ? Object.values(value) : []
  return items.map(textOf).filter((item) => item !== undefined)
}
