const TELL_EVERY_MS = 250
const MOST_LINES = 200

export interface LogLines {
  add(lines: readonly string[]): void
  /** Hands over what waits. */
  flush(): void
}

/** Lines go out a few times a second, however fast they come; of a flood the newest. */
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
