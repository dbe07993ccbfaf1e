/** Fixed lengths of the messages that a viewer sends (RFC 6143, 7.5), by their first byte. */
const SET_PIXEL_FORMAT = 0
const SET_ENCODINGS = 2
const UPDATE_REQUEST = 3
const KEY_EVENT = 4
const POINTER_EVENT = 5
const CUT_TEXT = 6
const QEMU = 255

/** What begins every connection: the version and the security type chosen, and ClientInit. */
const GREETING_BYTES = 12 + 1 + 1
const MOST_KEPT = 64 * 1024

/**
 * Takes keys, pointer and clipboard out of what a viewer of a screen (RFB 3.8, no security) sends. What
 * is needed to see passes.
 */
export class ViewOnly {
  #greeting = GREETING_BYTES
  #rest = Buffer.alloc(0)

  /**
   * @returns the part of the viewer's bytes that may go on
   * @throws Error when they are no messages of a viewer
   */
  pass(bytes: Uint8Array): Buffer {
    const out: Buffer[] = []
    let left = Buffer.concat([this.#rest, bytes])
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

/** Bytes of the message that begins here; infinite while that cannot be said yet. */
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
      // Below zero: the extended clipboard, whose length is the amount.
      return 8 + Math.abs(bytes.readInt32BE(4))
    }
    case QEMU:
      if (bytes.byteLength < 2) return later
      // Extended key event; audio enable and disable; audio format.
      if (bytes[1] === 0) return 12
      if (bytes.byteLength < 4) return later
      return bytes.readUInt16BE(2) === 2 ? 10 : 4
    default:
      throw new Error(`a viewer sends no message ${bytes[0]}`)
  }
}
