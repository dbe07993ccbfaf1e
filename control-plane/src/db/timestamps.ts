import pg from 'pg'

/** PostgreSQL's type OID of `timestamptz`. */
const MOMENT = 1184
const anyMoment = pg.types.getTypeParser(MOMENT) as (text: string) => Date

const [DASH, SPACE, PLUS, DOT, ZERO] = [45, 32, 43, 46, 48]
const digit = (text: string, at: number) => text.charCodeAt(at) - ZERO
const twoDigits = (text: string, at: number) => digit(text, at) * 10 + digit(text, at + 1)

/** Where the seconds end in the usual format, `2026-01-31 23:59:59.123+00`; 0 for any other. */
function endOfUsual(text: string): number {
  const end = text.length - 3
  const usual =
    end >= 19 &&
    text.charCodeAt(4) === DASH &&
    text.charCodeAt(10) === SPACE &&
    text.charCodeAt(end) === PLUS &&
    twoDigits(text, end + 1) === 0 &&
    (end === 19 || text.charCodeAt(19) === DOT) &&
    // `Date.UTC` maps the years 0 to 99 to 1900 to 1999.
    digit(text, 0) > 0
  return usual ? end : 0
}

/**
 * Parses PostgreSQL's timestamps. The usual format is parsed digit by digit, which is much faster.
 */
export function timestampOf(text: string): Date {
  const end = endOfUsual(text)
  if (end === 0) return anyMoment(text)
  let milliseconds = 0
  for (let at = 20; at < 23; at++)
    milliseconds = milliseconds * 10 + (at < end ? digit(text, at) : 0)
  return new Date(
    Date.UTC(
      twoDigits(text, 0) * 100 + twoDigits(text, 2),
      twoDigits(text, 5) - 1,
      twoDigits(text, 8),
      twoDigits(text, 11),
      twoDigits(text, 14),
      twoDigits(text, 17),
      milliseconds,
    ),
  )
}

/** The timestamp as ISO 8601 text with milliseconds, like `Date.toISOString`. */
export function timestampAsText(text: string): string {
  const end = endOfUsual(text)
  if (end === 0) return anyMoment(text).toISOString()
  const fraction = end === 19 ? '000' : text.slice(20, Math.min(end, 23)).padEnd(3, '0')
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}

/**
 * For statements whose timestamps are only passed on: creating a `Date` and formatting it costs
 * many times as much.
 */
export const timestampsAsText: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    oid === MOMENT && format !== 'binary'
      ? timestampAsText
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
}

/** A row type whose timestamps stay text. */
export type InWords<Row> = {
  [K in keyof Row]: Date extends Row[K] ? Exclude<Row[K], Date> | string : Row[K]
}
