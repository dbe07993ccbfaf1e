import type { Duplex } from 'node:stream'

/** A screen's content: one 0xRRGGBB value per pixel, row by row. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly pixels: Uint32Array
}

/** Message types of RFB 3.8 (RFC 6143, 7.5 and 7.6). */
const SET_PIXEL_FORMAT = 0
const SET_ENCODINGS = 2
const ASK_FOR_UPDATE = 3
const KEY_EVENT = 4
const UPDATE = 0
const BELL = 2
const CLIPBOARD = 3
const RAW = 0
/** A pseudo-encoding: the screen size has changed. */
const NEW_SIZE = -223
const PATIENCE_MS = 20_000
const NO_SECURITY = 1

/**
 * Connects to a machine's screen as a viewer, presses `keys` (keysyms), takes one picture and
 * disconnects. Throws when the other end does not speak RFB 3.8 without security, or sends no
 * picture within 20 seconds.
 */
export async function lookAt(screen: Duplex, keys: readonly number[] = []): Promise<Picture> {
  const deadline = setTimeout(() => screen.destroy(), PATIENCE_MS)
  try {
    const read = reader(screen)
    const hello = await read(12)
    if (String(hello) !== 'RFB 003.008\n') throw new Error(`no screen speaks like this: ${hello}`)
    screen.write(hello)
    const kinds = await read((await read(1)).readUInt8())
    if (!kinds.includes(NO_SECURITY)) throw new Error('the screen asks for a password')
    screen.write(Buffer.from([NO_SECURITY]))
    if ((await read(4)).readUInt32BE() !== 0) throw new Error('the screen lets nobody in')
    screen.write(Buffer.from([1]))
    const about = await read(24)
    await read(about.readUInt32BE(20))
    // 32 bits per pixel, little-endian, true colour: blue, green, red.
    const format = Buffer.from([SET_PIXEL_FORMAT, 0, 0, 0, 32, 24, 0, 1, 0, 255, 0, 255, 0, 255])
    screen.write(Buffer.concat([format, Buffer.from([16, 8, 0, 0, 0, 0])]))
    const encodings = Buffer.from([SET_ENCODINGS, 0, 0, 2, 0, 0, 0, RAW, 0, 0, 0, 0])
    encodings.writeInt32BE(NEW_SIZE, 8)
    screen.write(encodings)
    for (const key of keys) for (const down of [1, 0]) screen.write(keyEvent(key, down))
    return await wholePicture(screen, read, about.readUInt16BE(0), about.readUInt16BE(2))
  } finally {
    clearTimeout(deadline)
    screen.destroy()
  }
}

type Read = (size: number) => Promise<Buffer>

/** Requests the full screen and reads rectangles until every pixel has arrived. */
async function wholePicture(
  screen: Duplex,
  read: Read,
  width: number,
  height: number,
): Promise<Picture> {
  screen.write(askForAll(width, height))
  const pixels = new Uint32Array(width * height)
  for (let missing = width * height; missing > 0; ) {
    const kind = (await read(1)).readUInt8()
    if (kind === BELL) continue
    if (kind === CLIPBOARD) {
      await read((await read(7)).readUInt32BE(3))
      continue
    }
    if (kind !== UPDATE) throw new Error(`a message of an unknown kind: ${kind}`)
    for (let left = (await read(3)).readUInt16BE(1); left > 0; left -= 1) {
      const head = await read(12)
      const [x, y] = [head.readUInt16BE(0), head.readUInt16BE(2)]
      const [w, h] = [head.readUInt16BE(4), head.readUInt16BE(6)]
      const encoding = head.readInt32BE(8)
      // Sent alone: start over with the new size.
      if (encoding === NEW_SIZE) return await wholePicture(screen, read, w, h)
      if (encoding !== RAW) throw new Error('an encoding that nobody asked for')
      const bytes = await read(w * h * 4)
      for (let at = 0; at < w * h; at += 1) {
        const to = (y + Math.floor(at / w)) * width + x + (at % w)
        pixels[to] = bytes.readUInt32LE(at * 4) & 0xffffff
      }
      missing -= w * h
    }
  }
  return { width, height, pixels }
}

function askForAll(width: number, height: number): Buffer {
  const ask = Buffer.alloc(10)
  ask.writeUInt8(ASK_FOR_UPDATE, 0)
  ask.writeUInt16BE(width, 6)
  ask.writeUInt16BE(height, 8)
  return ask
}

function keyEvent(key: number, down: number): Buffer {
  const event = Buffer.from([KEY_EVENT, down, 0, 0, 0, 0, 0, 0])
  event.writeUInt32BE(key, 4)
  return event
}

/** Returns exactly the number of bytes requested; throws when the stream ends early. */
function reader(stream: Duplex): Read {
  const iterator = stream.iterator({ destroyOnReturn: false })
  let kept: Buffer = Buffer.alloc(0)
  return async (size) => {
    const parts = [kept]
    for (let have = kept.length; have < size; ) {
      const { value, done } = await iterator.next()
      if (done) throw new Error('the screen has closed the connection')
      parts.push(value)
      have += value.length
    }
    const all = Buffer.concat(parts)
    kept = all.subarray(size)
    return all.subarray(0, size)
  }
}
