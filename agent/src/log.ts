import { type Logger, pino } from 'pino'

/** Logs one JSON line per entry to stdout, with credentials redacted. */
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
