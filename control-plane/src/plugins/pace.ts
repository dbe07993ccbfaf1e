import type { Readable } from 'node:stream'

const WINDOW_MS = 250

/**
 * Reads a stream no faster than so many bytes a second, give or take what one read brings: whoever writes
 * more waits, and the host has its time for others.
 */
export function pace(stream: Readable, bytesPerSecond: number): void {
  const most = (bytesPerSecond * WINDOW_MS) / 1000
  let since = performance.now()
  let bytes = 0
  stream.on('data', (part: Buffer) => {
    const now = performance.now()
    if (now - since >= WINDOW_MS) {
      since = now
      bytes = 0
    }
    bytes += part.length
    if (bytes < most) return
    stream.pause()
    setTimeout(() => stream.resume(), since + WINDOW_MS - now)
  })
}
