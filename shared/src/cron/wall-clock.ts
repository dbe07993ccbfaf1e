/**
 * Conversion between instants and the wall clock of a zone. A wall time is kept as the milliseconds
 * it would be in UTC, so that it can be compared and added to.
 */

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  // Names of zones may be written in any case, and the map must not grow with each way.
  const name = zone.toLowerCase()
  let format = formats.get(name)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    })
    formats.set(name, format)
  }
  return format
}

/** What the clock of a zone shows at an instant. */
export function wallOf(zone: string, atMs: number): number {
  if (zone === 'UTC') return atMs
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {}
  for (const { type, value } of formatOf(zone).formatToParts(atMs)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  const milliseconds = ((atMs % 1000) + 1000) % 1000
  return Date.UTC(year, month - 1, day, hour, minute, second) + milliseconds
}

export const offsetOf = (zone: string, atMs: number): number => wallOf(zone, atMs) - atMs

/** The first instant after `fromMs` and not after `toMs` at which the clock has been changed. */
export function changeBetween(zone: string, fromMs: number, toMs: number): number | undefined {
  const before = offsetOf(zone, fromMs)
  if (offsetOf(zone, toMs) === before) return undefined
  let [low, high] = [fromMs, toMs]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetOf(zone, middle) === before) low = middle
    else high = middle
  }
  return high
}

/** Clocks are changed by a day at most, where a zone crosses the date line. */
const AROUND_MS = 36 * 3_600_000

/** When the clock of a zone shows a time. */
export type Shown =
  | { readonly shown: 'once' | 'twice'; readonly atMs: number }
  /** The clock skips it: `atMs` is the first instant after the gap. */
  | { readonly shown: 'never'; readonly atMs: number }

/** Finds the first instant at which the clock of a zone shows `wallMs`. */
export function instantOf(zone: string, wallMs: number): Shown {
  const [earlier, later] = [wallMs - AROUND_MS, wallMs + AROUND_MS]
  const offsets = [offsetOf(zone, earlier), offsetOf(zone, later)]
  const found = [...new Set(offsets.map((offset) => wallMs - offset))]
    .filter((atMs) => wallOf(zone, atMs) === wallMs)
    .sort((a, b) => a - b)
  const [first] = found
  if (first !== undefined) return { shown: found.length > 1 ? 'twice' : 'once', atMs: first }
  return { shown: 'never', atMs: changeBetween(zone, earlier, later) ?? wallMs }
}
