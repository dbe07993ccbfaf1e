import { read as readOf } from 'node:fs'
import type { Writable } from 'node:stream'
import { promisify } from 'node:util'
import type { Range } from './content.ts'

const read = promisify(readOf)
/** Large pieces: each costs a turn of the event loop. */
const PIECE = 512 * 1024

/**
 * Sends a part of an open file. One piece is read while the one before leaves, and both have their buffer
 * for the whole of the transfer: a new one for each piece has V8 mark and sweep its whole heap over and
 * over, for a third of what the transfer costs.
 * @param signal aborts when the reader hangs up
 * @throws Error when the reader hangs up, or when the file has become shorter meanwhile
 */
export async function sendPart(
  fd: number,
  { start, end }: Range,
  to: Writable,
  signal: AbortSignal,
): Promise<void> {
  const size = Math.min(PIECE, end - start + 1)
  const buffers: Buffer[] = []
  let sent = Promise.resolve()
  for (let at = start, turn = 0; at <= end; turn = 1 - turn) {
    const buffer = buffers[turn] ?? Buffer.allocUnsafeSlow(size)
    buffers[turn] = buffer
    const { bytesRead } = await read(fd, buffer, 0, Math.min(size, end - at + 1), at)
    await sent
    if (bytesRead === 0) throw new Error('The file became shorter while it was sent.')
    sent = written(to, buffer.subarray(0, bytesRead), signal)
    // Whoever hung up is noticed before the next piece.
    sent.catch(() => undefined)
    at += bytesRead
  }
  await sent
}

/** Node drops what is written to a response whose connection is about to close, and its callback as well. */
const written = (to: Writable, bytes: Buffer, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const hungUp = () => reject(signal.reason)
    signal.addEventListener('abort', hungUp)
    to.write(bytes, (error) => {
      signal.removeEventListener('abort', hungUp)
      if (error) reject(error)
      else resolve()
    })
  })
