/** A time for people, in the time zone of the page: `22 Nov 2026, 09:30 CET`. */
export const momentOf = (iso: string, timeZone: string): string =>
  new Date(iso).toLocaleString('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  })

/** A day for people: `22 Nov 2026`. */
export const dayOf = (date: string): string => DAY.format(new Date(date))
/** Made once: a page has thousands of days. */
const DAY = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})

/** `2 h 14 min` */
export function durationOf(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  if (hours === 0) return `${rest} min`
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}
