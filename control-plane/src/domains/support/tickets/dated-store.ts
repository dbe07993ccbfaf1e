import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** Spans of time, each eight times as long as the one before: 68 minutes, 9 hours, 3 days … 4 years. */
export const SPANS = [12, 15, 18, 21, 24, 27].map((bits) => ({
  bits,
  seconds: 2 ** bits,
  /** No word of a text is written like this. */
  mark: `#${bits}:`,
}))

/**
 * The words of a text, and marks of the spans of time that it was written in. Its index finds those of
 * the newest first: without the marks, every text with a frequent word would be read to sort them.
 */
export function dated(words: SQL, at: SQLWrapper): SQL {
  const seconds = sql`extract(epoch from ${at} at time zone 'UTC')::bigint`
  const marks = SPANS.map(
    ({ bits, mark }) =>
      sql`${sql.raw(`'${mark}'`)} || (${seconds} >> ${sql.raw(String(bits))})::text`,
  )
  return sql`${words} || array_to_tsvector(array[${sql.join(marks, sql`, `)}])`
}

/** A part of all times, the newest first: from an instant on, and before the part before it. */
export interface Part {
  /** What a text of this part has, as a query; undefined where the time goes back without end. */
  readonly marks: string | undefined
  readonly before: Date | undefined
}

/** The newest parts of time, each about eight times as long as the one before. */
function newestParts(now: Date): { readonly marks: string; readonly start: Date }[] {
  return SPANS.map(({ seconds, mark }) => {
    const present = Math.floor(now.getTime() / 1000 / seconds)
    // A text may be some moments ahead of this clock, so the next span counts as well.
    const marks = [present + 1, present, present - 1].map((span) => `'${mark}${span}'`).join(' | ')
    return { marks, start: new Date((present - 1) * seconds * 1000) }
  })
}

/** The parts of all time, from the newest on. */
export function partsOf(now: Date): Part[] {
  const parts = newestParts(now)
  return [
    ...parts.map(({ marks }, at) => ({ marks, before: parts[at - 1]?.start })),
    { marks: undefined, before: parts.at(-1)?.start },
  ]
}

/** What every text has that was written since then, as a query; undefined where that is too long ago. */
export const marksSince = (since: Date, now: Date): string | undefined =>
  newestParts(now).find(({ start }) => start <= since)?.marks
