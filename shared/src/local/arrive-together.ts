import type { Readable } from 'node:stream'

/** Larger parts gain nothing and leave more behind. */
const MOST_BYTES = 256 * 1024

/**
 * Makes one part of what arrives in one turn of the event loop. TLS yields 16 KiB at a time, and a part
 * costs every stage that it passes the same, whatever its size.
 */
export function arriveTogether(stream: Readable): void {
  const push = stream.push.bind(stream)
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let wantsMore = true
  let turn: NodeJS.Immediate | undefined
  const flush = () => {
    clearImmediate(turn)
    turn = undefined
    if (waitingBytes === 0 || stream.destroyed) return
    const part = Buffer.concat(waiting, waitingBytes)
    waiting = []
    waitingBytes = 0
    wantsMore = push(part)
  }
  stream.push = (part: Buffer | null) => {
    if (part === null) {
      flush()
      return push(null)
    }
    waiting.push(part)
    waitingBytes += part.byteLength
    if (waitingBytes >= MOST_BYTES) flush()
    else turn ??= setImmediate(flush)
    return wantsMore
  }
}
