import { z } from 'zod'

/** Whether `Intl` knows the name. Offsets such as `+02:00` are no zones: they have no rules. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined && !/^[+-]/.test(name)
  } catch {
    return false
  }
}

/** An IANA time zone name, e.g. `Europe/Zurich`. */
export const timeZone = z
  .string()
  .trim()
  .max(64)
  .refine(isTimeZone, 'is not a time zone, for example Europe/Zurich')
