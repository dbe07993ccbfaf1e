interface Manner {
  readonly locale: string | null
  readonly timeZone: string | null
}

/** As the browser does, until somebody is signed in who has chosen otherwise. */
let chosen: Manner = { locale: null, timeZone: null }

/** From now on moments are written in this language and time zone; null leaves it to the browser. */
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
