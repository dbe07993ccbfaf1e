import * as vir from './bindings.ts'
import { type Connection, checked, failure, present } from './connection.ts'

const CHUNK_BYTES = 256 * 1024
const LARGEST_BYTES = 64 * 1024 * 1024

export interface Screen {
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** Reads a screenshot of a domain's first screen over a dedicated stream. */
export async function readScreen(own: Connection, domain: vir.Pointer): Promise<Screen> {
  const stream = vir.newStream(own.at, 0)
  if (stream === null) throw failure(own)
  let ended = false
  try {
    const mediaType = await present(own, vir.screenshot(domain, stream, 0, 0))
    const chunks: Buffer[] = []
    for (let size = 0; size <= LARGEST_BYTES; ) {
      const chunk = Buffer.alloc(CHUNK_BYTES)
      const count = await checked(own, vir.receive(stream, chunk, chunk.length))
      if (count === 0) {
        await checked(own, vir.finishStream(stream))
        ended = true
        break
      }
      chunks.push(chunk.subarray(0, count))
      size += count
    }
    return { mediaType, bytes: Buffer.concat(chunks) }
  } finally {
    if (!ended) vir.abortStream(stream)
    vir.freeStream(stream)
  }
}
