import { IncomingMessage } from 'node:http'
import { finished, Readable } from 'node:stream'

/** How much is read ahead while earlier parts are being written. */
const AHEAD_BYTES = 1024 * 1024

/**
 * Yields all parts of a stream that have arrived since the last time, so that reading continues while
 * the receiver writes, and nothing is joined or copied. If the stream breaks off, the parts that arrived
 * before are yielded before the error is thrown.
 */
export async function* gathered(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  if (!(body instanceof Readable)) {
    for await (const part of body) yield [part]
    return
  }
  let parts: Uint8Array[] = []
  let bytes = 0
  let over = false
  let failure: Error | null | undefined
  let changed = Promise.withResolvers<void>()
  const take = (part: Uint8Array) => {
    parts.push(part)
    bytes += part.byteLength
    if (bytes >= AHEAD_BYTES) body.pause()
    changed.resolve()
  }
  const forget = finished(body, { writable: false }, (error) => {
    over = true
    failure = error
    changed.resolve()
  })
  body.on('data', take)
  try {
    for (;;) {
      await changed.promise
      changed = Promise.withResolvers()
      if (parts.length > 0) {
        const arrived = parts
        parts = []
        bytes = 0
        if (!over) body.resume()
        yield arrived
      }
      if (parts.length > 0) changed.resolve()
      else if (over) break
    }
    if (failure) throw failure
  } finally {
    forget()
    body.off('data', take)
    // A request has yet to be answered, with the reason why the rest of it is not wanted.
    if (!over && !(body instanceof IncomingMessage)) body.destroy()
  }
}
