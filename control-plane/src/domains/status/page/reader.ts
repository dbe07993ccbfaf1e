import type { Language } from '@lodge/shared/words/languages.ts'
import { localeOf } from '../../../moment-text.ts'
import { wordsFor } from '../../../said-in.ts'
import { t } from '../words.ts'

/** Formats of a public page for its reader. */
export interface PageReader {
  readonly language: Language
  readonly words: typeof t
  /** A time, in the time zone of the page: `22 Nov 2026, 09:30 CET`. */
  momentOf(iso: string): string
  /** A day: `22 Nov 2026`. */
  dayOf(date: string): string
}

/** Cached: a page has thousands of days. */
const readers = new Map<string, PageReader>()

export function pageReader(language: Language, timeZone: string): PageReader {
  const key = `${language} ${timeZone}`
  const present = readers.get(key)
  if (present) return present
  const format = (zone: string, more: Intl.DateTimeFormatOptions = {}) => {
    const day = { day: 'numeric', month: 'short', year: 'numeric' } as const
    return new Intl.DateTimeFormat(localeOf(language), { timeZone: zone, ...day, ...more })
  }
  const time = format(timeZone, { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' })
  const day = format('UTC')
  const reader: PageReader = {
    language,
    words: wordsFor(t, { language }),
    momentOf: (iso) => time.format(new Date(iso)),
    dayOf: (date) => day.format(new Date(date)),
  }
  readers.set(key, reader)
  return reader
}

/** `2 h 14 min` */
export function durationOf(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  if (hours === 0) return `${rest} min`
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}
