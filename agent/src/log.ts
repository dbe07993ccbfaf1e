import { type Logger, pino } from 'pino'

/** One JSON line per entry on the standard output. Credentials never get in. */
export function createLog(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: [
        'credential',
        'token',
        'ticket',
        'authorization',
        '*.credential',
        '*.token',
        '*.ticket',
        '*.authorization',
        '*.environment',
      ],
      censor: '[secret]',
    },
  })
}
