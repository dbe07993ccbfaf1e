/**
 * Takes the engine's framing off an output stream. Without a terminal every piece comes with eight
 * bytes before it: the stream's number, three zeros and the length, big-endian.
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

/** The output in a finished log, without its framing. */
export function unframed(tty: boolean, bytes: Buffer): Buffer {
  const pieces: Buffer[] = []
  frameReader(tty, (piece) => pieces.push(piece))(bytes)
  return Buffer.concat(pieces)
}

/** The newest `count` lines of a text; a line end at the very end does not begin another line. */
export function lastLines(text: string, count: number): readonly string[] {
  const lines = text.split(/\r\n|\n/)
  if (lines.at(-1) === '') lines.pop()
  return count > 0 ? lines.slice(-count) : []
}
