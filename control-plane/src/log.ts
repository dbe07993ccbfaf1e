import { writeSync } from 'node:fs'
import pino, { type DestinationStream, type Logger } from 'pino'

/** How long a line may wait for others, milliseconds. */
const BATCH_MS = 50
const BATCH_LETTERS = 65_536
const WARNING = 40
const STANDARD_OUTPUT = 1

/**
 * The log, lines of JSON. Writing a line costs more than many a request, so what is told in passing
 * goes out together; a warning or worse is written at once, with all that came before it.
 * @param to what is open for writing; standard output unless given
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
  // The last lines of a process are the most telling ones.
  process.on('exit', flush)
  const stream = {
    // Pino then says of which level a line is.
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

/** A reader who is slow is waited for; where there is none any more, or no room, lines are lost. */
function writeAll(to: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(to, bytes, at)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      Atomics.wait(pause, 0, 0, 10)
    }
  }
}
