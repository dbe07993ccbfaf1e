import { type Logger, pino } from 'pino'
import type { LogTail } from './log-tail.ts'

interface Stream {
  write(entry: string): void
  flushSync?(): void
}

/**
 * Logs one JSON line per entry to stdout, with credentials redacted.
 * @param tail keeps the newest entries for the panel
 */
export function createLog(
  level: string,
  tail?: LogTail,
  stdout: Stream = pino.destination(1),
): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
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
  }
  if (!tail) return pino(options, stdout)
  const both = {
    write(entry: string) {
      stdout.write(entry)
      tail.add(entry)
    },
    // Called after a fatal entry, before the process ends.
    flushSync: () => stdout.flushSync?.(),
  }
  return pino(options, both)
}
