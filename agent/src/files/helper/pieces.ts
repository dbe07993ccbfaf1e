import { read as readOf } from 'node:fs'
import { promisify } from 'node:util'
import { collectPassed } from '@lodge/shared/local/collector.ts'

const readSome = promisify(readOf)
const PIECE = 256 * 1024

/**
 * Exactly `size` bytes of an open file: a file that was cut off meanwhile goes on with zeros,
 * because its size has already been written.
 */
export async function* pieces(
  fd: number,
  size: number,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  let position = 0
  while (position < size) {
    signal?.throwIfAborted()
    const piece = Buffer.allocUnsafe(Math.min(PIECE, size - position))
    const { bytesRead } = await readSome(fd, piece, 0, piece.byteLength, position)
    if (bytesRead === 0) piece.fill(0)
    const part = bytesRead === 0 ? piece : piece.subarray(0, bytesRead)
    position += part.byteLength
    collectPassed(piece.byteLength)
    yield part
  }
}
