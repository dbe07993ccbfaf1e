import { crc32, deflateSync } from 'node:zlib'

/**
 * Converts a screenshot to PNG. QEMU delivers PNG or, in older versions, a portable pixmap. Throws
 * for anything else.
 */
export function asPng({ mediaType, bytes }: { mediaType: string; bytes: Uint8Array }): Uint8Array {
  const image = Buffer.from(bytes)
  if (mediaType === 'image/png') return image
  const head = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(image.toString('latin1', 0, 64))
  if (!head) throw new Error(`a screen of an unknown kind: ${mediaType}`)
  const [width, height] = [Number(head[1]), Number(head[2])]
  const pixels = image.subarray(head[0].length)
  const row = width * 3
  if (pixels.length < row * height) throw new Error('a screen that is not whole')
  // Each row starts with its filter type: 0, none.
  const raw = Buffer.alloc((row + 1) * height)
  for (let y = 0; y < height; y += 1) pixels.copy(raw, y * (row + 1) + 1, y * row, (y + 1) * row)
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  size.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(raw, { level: 3 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Length, name, content and checksum (PNG specification, 5.3). */
function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
