/**
 * Passes items to a single reader that may be slower than the writer. Ends when the signal aborts.
 */
export function queue<T>(signal: AbortSignal): { push(item: T): void; read(): AsyncGenerator<T> } {
  const waiting: T[] = []
  let wake = () => {}
  return {
    push(item) {
      waiting.push(item)
      wake()
    },
    async *read() {
      const stop = () => wake()
      signal.addEventListener('abort', stop)
      try {
        while (!signal.aborted) {
          const item = waiting.shift()
          if (item !== undefined) {
            yield item
            continue
          }
          await new Promise<void>((resolve) => {
            wake = resolve
            if (signal.aborted || waiting.length > 0) resolve()
          })
        }
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
  }
}
