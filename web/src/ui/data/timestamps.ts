interface Manner {
  readonly locale: string | null
  readonly timeZone: string | null
}

/** The browser's setting, until somebody with another preference signs in. */
let chosen: Manner = { locale: null, timeZone: null }

/** Sets the language and time zone of all times; null uses the browser's. */
export function writeTimestampsAs({ locale, timeZone }: Manner): void {
  chosen = { locale, timeZone }
}

const zone = () => (chosen.timeZone === null ? {} : { timeZone: chosen.timeZone })

/** Date and time, e.g. `22/11/2026, 09:30:00`. */
export const timestampText = (
  at: string | number | Date,
  options: Intl.DateTimeFormatOptions = {},
): string => new Date(at).toLocaleString(chosen.locale ?? undefined, { ...zone(), ...options })

/** Only the date. */
export const dateText = (
  at: string | number | Date,
  options: Intl.DateTimeFormatOptions = {},
): string => new Date(at).toLocaleDateString(chosen.locale ?? undefined, { ...zone(), ...options })
