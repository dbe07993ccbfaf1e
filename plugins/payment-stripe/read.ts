import type { Json } from './api.ts'

/** The id of an expanded object, or of a reference to one. */
export function refOf(value: unknown): string | null {
  if (typeof value === 'string' && value !== '') return value
  const { id } = Object(value) as { id?: unknown }
  return typeof id === 'string' ? id : null
}

/** Converts seconds since 1970. */
export const momentOf = (seconds: unknown): string => new Date(Number(seconds) * 1000).toISOString()

export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

export const currencyOf = ({ currency }: Json): string => String(currency).toUpperCase()

/** Our own metadata of the object. */
export const metadataOf = ({ metadata }: Json): Record<string, string> =>
  Object.fromEntries(
    Object.entries(Object(metadata) as object).map(([name, value]) => [name, String(value)]),
  )

/** The entries of a list object. */
export function listOf(list: unknown): Json[] {
  const { data } = Object(list) as { data?: unknown }
  return Array.isArray(data) ? data.map((one) => Object(one) as Json) : []
}

export const firstOf = (list: unknown): Json => listOf(list)[0] ?? {}
