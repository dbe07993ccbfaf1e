const two = (number: number): string => String(number).padStart(2, '0')

/** `2026-01-31T12:00` in the browser's zone, the format of `datetime-local` fields. */
export function localOf(at: Date): string {
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** The instant of such a field; an invalid text is passed on, and the API refuses it. */
export const instantOf = (local: string): string =>
  Number.isNaN(Date.parse(local)) ? local : new Date(local).toISOString()
