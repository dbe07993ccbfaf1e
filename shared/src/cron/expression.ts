import { Cron } from 'croner'

/** The fields of an expression, in order, with what they take. */
const FIELDS = [
  ['a minute', '0 to 59'],
  ['an hour', '0 to 23'],
  ['a day of the month', '1 to 31, or L for the last'],
  ['a month', '1 to 12, or JAN to DEC'],
  ['a day of the week', '0 to 7, or SUN to SAT, where 0 and 7 are Sunday'],
] as const

const NICKNAMES = ['@hourly', '@daily', '@midnight', '@weekly', '@monthly', '@yearly', '@annually']

/**
 * Zones are our own work (`occurrences.ts`): the library reads the expression and walks through the
 * calendar in UTC, where no day is shorter than another.
 */
function inUtc(expression: string): Cron {
  const known = parsed.get(expression)
  if (known) return known
  const cron = new Cron(expression, { timezone: 'UTC', mode: '5-part' })
  if (parsed.size >= MOST_PARSED) parsed.clear()
  parsed.set(expression, cron)
  return cron
}

/** Many schedules share an expression, and reading one costs more than using it. */
const parsed = new Map<string, Cron>()
const MOST_PARSED = 1_000

const isReadable = (expression: string): boolean => {
  try {
    inUtc(expression)
    return true
  } catch {
    return false
  }
}

/** What is wrong with an expression, to be read after its name; undefined if nothing is. */
export function cronProblem(expression: string): string | undefined {
  const text = expression.trim()
  if (text.startsWith('@'))
    return NICKNAMES.includes(text.toLowerCase())
      ? undefined
      : `knows no ${text}: use ${NICKNAMES.join(', ')} or five fields`
  const given = text.split(/\s+/)
  if (given.length !== FIELDS.length)
    return `needs five fields: minute, hour, day of the month, month and day of the week; this has ${given.length}`
  for (const [at, [name, takes]] of FIELDS.entries()) {
    const alone = FIELDS.map((_, other) => (other === at ? given[at] : '*')).join(' ')
    if (!isReadable(alone))
      return `has ${name} that is not understood, ${given[at]}: use ${takes}, or *, lists as 1,3, ranges as 1-5 and steps as */2 or 0-10/2`
  }
  if (!isReadable(text)) return 'is not understood'
  if (nextWall(text, Date.UTC(2000, 0)) === undefined) return 'never occurs: there is no such day'
  return undefined
}

/** The first matching wall time after another; undefined if there is none. */
export const nextWall = (expression: string, wallMs: number): number | undefined =>
  inUtc(expression).nextRun(new Date(wallMs))?.getTime()

/**
 * Whether it names hours, such as `30 2 * * *`, rather than counting them, such as every hour or
 * every second one.
 */
export function namesHours(expression: string): boolean {
  const text = expression.trim().toLowerCase()
  if (text.startsWith('@')) return text !== '@hourly'
  return !/[*?]/.test(text.split(/\s+/)[1] ?? '')
}
