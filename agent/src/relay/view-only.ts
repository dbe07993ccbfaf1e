/** Message types of an RFB client (RFC 6143, 7.5), from the first byte. */
const SET_PIXEL_FORMAT = 0
const SET_ENCODINGS = 2
const UPDATE_REQUEST = 3
const KEY_EVENT = 4
const POINTER_EVENT = 5
const CUT_TEXT = 6
const QEMU = 255

const VERSION_BYTES = 12
/** In others the server chooses the security type, so that messages begin a byte earlier. */
const VERSIONS = ['RFB 003.007\n', 'RFB 003.008\n']
/** The start of every connection: protocol version, chosen security type and ClientInit. */
const GREETING_BYTES = VERSION_BYTES + 1 + 1
const MOST_KEPT = 64 * 1024

/**
 * Filters keys, pointer and clipboard out of an RFB client's messages (RFB 3.7 or 3.8, no security).
 * Messages needed for display pass.
 */
export class ViewOnly {
  #greeting = GREETING_BYTES
  #rest = Buffer.alloc(0)

  /**
   * Returns the part of the client's bytes to forward.
   * @throws Error when they are not RFB client messages
   */
  pass(bytes: Uint8Array): Buffer {
    const out: Buffer[] = []
    let left = Buffer.concat([this.#rest, bytes])
    // Nothing passes before the version is known: the server would believe another one at once.
    if (this.#greeting === GREETING_BYTES) {
      if (left.byteLength < VERSION_BYTES) {
        this.#rest = left
        return Buffer.alloc(0)
      }
      if (!VERSIONS.includes(left.toString('latin1', 0, VERSION_BYTES)))
        throw new Error('a viewer speaks RFB 3.7 or 3.8')
    }
    if (this.#greeting > 0) {
      const greeting = left.subarray(0, this.#greeting)
      this.#greeting -= greeting.byteLength
      out.push(greeting)
      left = left.subarray(greeting.byteLength)
    }
    for (let length = lengthOf(left); length <= left.byteLength; length = lengthOf(left)) {
      const message = left.subarray(0, length)
      if (isForSeeing(message)) out.push(message)
      left = left.subarray(length)
    }
    if (left.byteLength > MOST_KEPT) throw new Error('a message of the viewer is too long')
    this.#rest = Buffer.from(left)
    return Buffer.concat(out)
  }
}

const isForSeeing = (message: Buffer) =>
  [SET_PIXEL_FORMAT, SET_ENCODINGS, UPDATE_REQUEST].includes(message[0] ?? -1)

/** Length of the message that begins here; infinite while more bytes are needed to know it. */
function lengthOf(bytes: Buffer): number {
  const later = Number.POSITIVE_INFINITY
  switch (bytes[0]) {
    case undefined:
      return later
    case SET_PIXEL_FORMAT:
      return 20
    case SET_ENCODINGS:
      return bytes.byteLength < 4 ? later : 4 + 4 * bytes.readUInt16BE(2)
    case UPDATE_REQUEST:
      return 10
    case KEY_EVENT:
      return 8
    case POINTER_EVENT:
      return 6
    case CUT_TEXT: {
      if (bytes.byteLength < 8) return later
      // A negative length marks the extended clipboard; its absolute value counts.
      return 8 + Math.abs(bytes.readInt32BE(4))
    }
    case QEMU:
      if (bytes.byteLength < 2) return later
      // Extended key event; enable or disable audio; audio format.
      if (bytes[1] === 0) return 12
      if (bytes.byteLength < 4) return later
      return bytes.readUInt16BE(2) === 2 ? 10 : 4
    default:
      throw new Error(`a viewer sends no message ${bytes[0]}`)
  }
}
