/**
 * Removes the engine's framing from an output stream. Without a terminal, each chunk has an
 * eight-byte header: the stream's number, three zeros and the big-endian length.
 */
export function frameReader(
  tty: boolean,
  onOutput: (chunk: Buffer) => void,
): (chunk: Buffer) => void {
  if (tty) return onOutput
  const header = Buffer.alloc(8)
  let headerLength = 0
  let left = 0
  return (chunk) => {
    let at = 0
    while (at < chunk.length) {
      if (left > 0) {
        const piece = chunk.subarray(at, at + left)
        left -= piece.length
        at += piece.length
        onOutput(piece)
        continue
      }
      const copied = chunk.copy(header, headerLength, at, at + 8 - headerLength)
      headerLength += copied
      at += copied
      if (headerLength < 8) return
      left = header.readUInt32BE(4)
      headerLength = 0
    }
  }
}

/** The output of a complete log, without framing. */
export function unframed(tty: boolean, bytes: Buffer): Buffer {
  const pieces: Buffer[] = []
  frameReader(tty, (piece) => pieces.push(piece))(bytes)
  return Buffer.concat(pieces)
}

/** The newest `count` lines of a text; a final line break does not start another line. */
export function lastLines(text: string, count: number): readonly string[] {
  const lines = text.split(/\r\n|\n/)
  if (lines.at(-1) === '') lines.pop()
  return count > 0 ? lines.slice(-count) : []
}
