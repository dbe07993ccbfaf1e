const two = (number: number): string => String(number).padStart(2, '0')

/** `2026-01-31T12:00` in the browser's zone, as `datetime-local` fields have it. */
export function localOf(at: Date): string {
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** The instant that such a field means; what it holds if it means none, which the API refuses. */
export const instantOf = (local: string): string =>
  Number.isNaN(Date.parse(local)) ? local : new Date(local).toISOString()
