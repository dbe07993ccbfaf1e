const TELL_EVERY_MS = 250
const MOST_LINES = 200

export interface LogLines {
  add(lines: readonly string[]): void
  /** Passes on pending lines. */
  flush(): void
}

/**
 * Batches lines and passes them on a few times a second; during a flood only the newest are kept.
 */
export function logLines(tell: (lines: readonly string[]) => void): LogLines {
  let waiting: string[] = []
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length === 0) return
    const lines = waiting
    waiting = []
    tell(lines)
  }
  return {
    flush,
    add(lines) {
      waiting.push(...lines)
      if (waiting.length > MOST_LINES) waiting = waiting.slice(-MOST_LINES)
      timer ??= setTimeout(flush, TELL_EVERY_MS)
    },
  }
}
