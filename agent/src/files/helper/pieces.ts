import { read as readOf } from 'node:fs'
import { promisify } from 'node:util'
import { collectPassed } from '@lodge/shared/local/collector.ts'

const readSome = promisify(readOf)
const PIECE = 256 * 1024

/**
 * Exactly `size` bytes of an open file, for whoever has already written that size: a file that was cut
 * off meanwhile goes on with zeros.
 */
export async function* paddedPieces(
  fd: number,
  size: number,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  let missing = size
  for await (const piece of pieces(fd, size, signal)) {
    missing -= piece.byteLength
    yield piece
  }
  while (missing > 0) {
    signal?.throwIfAborted()
    const zeros = Buffer.alloc(Math.min(PIECE, missing))
    missing -= zeros.byteLength
    collectPassed(zeros.byteLength)
    yield zeros
  }
}

/** The first `size` bytes of an open file, or fewer if it was cut off meanwhile. */
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
    if (bytesRead === 0) return
    position += bytesRead
    collectPassed(piece.byteLength)
    yield piece.subarray(0, bytesRead)
  }
}
