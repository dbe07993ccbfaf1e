import { writeSync } from 'node:fs'
import { errorCode } from '@lodge/shared/error-code.ts'
import pino, { type DestinationStream, type Logger } from 'pino'

/** How long a line may wait for others, milliseconds. */
const BATCH_MS = 50
const BATCH_LETTERS = 65_536
const WARNING = 40
const STANDARD_OUTPUT = 1

/**
 * The log, as JSON lines. Writing a line costs more than many a request, so lines below warning are
 * batched; a warning or worse flushes at once, with everything before it.
 * @param to an open file descriptor; defaults to standard output
 */
export function openLog(level: string, to = STANDARD_OUTPUT): Logger {
  return pino(
    {
      level,
      base: undefined,
      redact: ['password', 'token', 'credential', '*.password', '*.token', '*.credential'],
    },
    gathering(to),
  )
}

function gathering(to: number): DestinationStream {
  let lines = ''
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const batched = Buffer.from(lines)
    lines = ''
    writeAll(to, batched)
  }
  // The last lines before an exit matter most.
  process.on('exit', flush)
  const stream = {
    // Makes Pino pass the level of each line.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string) {
      lines += line
      if (stream.lastLevel >= WARNING || lines.length >= BATCH_LETTERS) flush()
      else timer ??= setTimeout(flush, BATCH_MS).unref()
    },
  }
  return stream
}

const pause = new Int32Array(new SharedArrayBuffer(4))

/** Waits for a slow reader; lines are lost if there is no reader or no space. */
function writeAll(to: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(to, bytes, at)
    } catch (error) {
      if (errorCode(error) !== 'EAGAIN') return
      Atomics.wait(pause, 0, 0, 10)
    }
  }
}
