import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Problem } from '../problem.ts'

/** A file untouched for this long is no longer being written. */
const ABANDONED_MS = 3_600_000

export interface Arrived {
  readonly file: string
  readonly sha256: string
  readonly sizeBytes: number
}

/**
 * Streams into a new file and computes its digest. The file is synced.
 * @throws {Problem} payload_too_large, or the stream's error; the file is then removed
 */
export async function receive(
  folder: string,
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Arrived> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, randomUUID())
  const handle = await open(file, 'wx', 0o600)
  try {
    const hash = createHash('sha256')
    let sizeBytes = 0
    for await (const piece of bytes) {
      sizeBytes += piece.length
      if (sizeBytes > maxBytes)
        throw new Problem('payload_too_large', `Send at most ${maxBytes} bytes`)
      hash.update(piece)
      await writeWhole(handle, piece)
    }
    await handle.sync()
    return { file, sha256: hash.digest('hex'), sizeBytes }
  } catch (error) {
    await rm(file, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

async function writeWhole(
  handle: Awaited<ReturnType<typeof open>>,
  piece: Uint8Array,
): Promise<void> {
  for (let at = 0; at < piece.length; ) {
    const { bytesWritten } = await handle.write(piece, at, piece.length - at)
    at += bytesWritten
  }
}

/** Removes files of processes that ended while receiving. */
export async function dropAbandoned(folder: string): Promise<number> {
  let dropped = 0
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name)
    const found = await stat(file).catch(() => null)
    if (found === null || Date.now() - found.mtimeMs < ABANDONED_MS) continue
    await rm(file, { force: true })
    dropped += 1
  }
  return dropped
}
