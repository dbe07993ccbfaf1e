import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** Spans of time, each eight times as long as the one before: 68 minutes, 9 hours, 3 days … 4 years. */
export const SPANS = [12, 15, 18, 21, 24, 27].map((bits) => ({
  bits,
  seconds: 2 ** bits,
  /** A form that no word of a text has. */
  mark: `#${bits}:`,
}))

/**
 * The words of a text, plus marks of the time spans in which it was written. With them the index
 * finds the newest matches first; without them, a frequent word would mean reading and sorting every
 * text that has it.
 */
export function dated(words: SQL, at: SQLWrapper): SQL {
  const seconds = sql`extract(epoch from ${at} at time zone 'UTC')::bigint`
  const marks = SPANS.map(
    ({ bits, mark }) =>
      sql`${sql.raw(`'${mark}'`)} || (${seconds} >> ${sql.raw(String(bits))})::text`,
  )
  return sql`${words} || array_to_tsvector(array[${sql.join(marks, sql`, `)}])`
}

/** A slice of time: from an instant on, and before the slice before it, the newest first. */
export interface Part {
  /** A query for the marks of this slice; undefined for the last one, which has no lower end. */
  readonly marks: string | undefined
  readonly before: Date | undefined
}

/** The newest slices, each about eight times as long as the one before. */
function newestParts(now: Date): { readonly marks: string; readonly start: Date }[] {
  return SPANS.map(({ seconds, mark }) => {
    const present = Math.floor(now.getTime() / 1000 / seconds)
    // Clocks may be a little apart, so the next span counts as well.
    const marks = [present + 1, present, present - 1].map((span) => `'${mark}${span}'`).join(' | ')
    return { marks, start: new Date((present - 1) * seconds * 1000) }
  })
}

/** Slices that cover all time, from the newest on. */
export function partsOf(now: Date): Part[] {
  const parts = newestParts(now)
  return [
    ...parts.map(({ marks }, at) => ({ marks, before: parts[at - 1]?.start })),
    { marks: undefined, before: parts.at(-1)?.start },
  ]
}

/** A query for marks that every text since then has; undefined if that is too long ago. */
export const marksSince = (since: Date, now: Date): string | undefined =>
  newestParts(now).find(({ start }) => start <= since)?.marks
