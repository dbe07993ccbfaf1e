/** Language and time zone of a person; null where they have not chosen one. */
export interface Reader {
  readonly locale: string | null
  readonly timeZone: string | null
}

const NOBODY: Reader = { locale: null, timeZone: null }

/**
 * Formats a time for mail and notices, with the name of the zone: `22 November 2026, 09:30 UTC`.
 * Falls back to UTC, because the server does not know the time zone of the reader's browser.
 */
export function momentText(at: Date, { locale, timeZone }: Reader = NOBODY): string {
  const language = locale ?? 'en-GB'
  const zone = { timeZone: timeZone ?? 'UTC' }
  const date = at.toLocaleDateString(language, {
    ...zone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
  const time = at.toLocaleTimeString(language, {
    ...zone,
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  })
  return `${date}, ${time}`
}
