import { ENGLISH } from '@lodge/shared/words/bind.ts'

interface Manner {
  readonly locale: string | null
  readonly timeZone: string | null
  /** 12 or 24 hours; by default those of the chosen language. */
  readonly clock?: '12' | '24' | null
}

/** The browser's setting, until somebody with another preference signs in. */
let chosen: Manner = { locale: null, timeZone: null, clock: null }

/** Sets the locale, time zone and clock of all times and numbers; null uses the browser's. */
export function writeTimestampsAs({ locale, timeZone, clock = null }: Manner): void {
  chosen = { locale, timeZone, clock }
}

/** The browser's own variant of a language, such as de-CH for de. */
const ofBrowser = (spoken: string): string =>
  navigator.languages.find((one) => one.slice(0, 2) === spoken) ?? spoken

/**
 * The locale of times, numbers and money: as the person chose; otherwise the browser's (undefined),
 * unless the panel is in another language than English.
 */
export const locale = (): string | undefined => {
  const spoken = globalThis.document?.documentElement.lang
  return chosen.locale ?? (spoken === ENGLISH || !spoken ? undefined : ofBrowser(spoken))
}
const zone = () => (chosen.timeZone === null ? {} : { timeZone: chosen.timeZone })
/** As the person chose; otherwise 24 hours, unless the chosen language uses 12. */
const clock = () => {
  if (chosen.clock === '12') return { hourCycle: 'h12' as const }
  return chosen.clock === '24' || chosen.locale === null ? { hourCycle: 'h23' as const } : {}
}

/** Date and time, e.g. `22/11/2026, 09:30:00`. */
export const timestampText = (
  at: string | number | Date,
  options: Intl.DateTimeFormatOptions = {},
): string => new Date(at).toLocaleString(locale(), { ...zone(), ...clock(), ...options })

/** Only the date. */
export const dateText = (
  at: string | number | Date,
  options: Intl.DateTimeFormatOptions = {},
): string => new Date(at).toLocaleDateString(locale(), { ...zone(), ...options })

/** Only the time of the day, e.g. `09:30`. */
export const clockText = (at: string | number | Date, seconds = false): string =>
  new Date(at).toLocaleTimeString(locale(), {
    ...zone(),
    ...clock(),
    hour: '2-digit',
    minute: '2-digit',
    ...(seconds ? { second: '2-digit' as const } : {}),
  })

const calendars = new Map<string | null, Intl.DateTimeFormat>()

function calendar(): Intl.DateTimeFormat {
  const known = calendars.get(chosen.timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    ...zone(),
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  calendars.set(chosen.timeZone, made)
  return made
}

/** The reader's offset from UTC at a moment, in seconds. */
export function clockAheadSeconds(atSeconds: number): number {
  const whole = Math.floor(atSeconds)
  const part: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = Object.fromEntries(
    calendar()
      .formatToParts(whole * 1000)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - whole
}
