export interface LogLine {
  /** Null where the line is not one of the agent's entries. */
  readonly at: string | null
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  /** The other fields, as `name=value`. */
  readonly details: string
}

const LEVELS: Readonly<Record<string, LogLine['level']>> = {
  trace: 'debug',
  debug: 'debug',
  info: 'info',
  warn: 'warn',
  error: 'error',
  fatal: 'error',
}

/** Parses one entry of an agent's log; other text is shown as it is. */
export function readLogLine(text: string): LogLine {
  const entry = parsed(text)
  if (!entry) return { at: null, level: 'info', message: text, details: '' }
  const { time, level, msg, ...rest } = entry
  const details = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return {
    at: typeof time === 'string' && !Number.isNaN(Date.parse(time)) ? time : null,
    level: LEVELS[String(level)] ?? 'info',
    message: typeof msg === 'string' ? msg : '',
    details: details.join(' '),
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const entry: unknown = JSON.parse(text)
    return typeof entry === 'object' && entry !== null && !Array.isArray(entry)
      ? { ...entry }
      : undefined
  } catch {
    return undefined
  }
}

export const isProblem = ({ level }: LogLine): boolean => level === 'warn' || level === 'error'
