import { createHash } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'

/** Small enough to stay in the CPU cache between reading, hashing and writing. */
const CHUNK_BYTES = 256 * 1024
/**
 * Blocks like this are not written: the copy gets a hole, as a disk has where its guest discarded
 * blocks.
 */
const ZEROES = Buffer.alloc(64 * 1024)

/**
 * Copies a file and computes its fingerprint in one pass; zeros become holes. The copy is not
 * durable until synced.
 * @returns SHA-256 in hex
 */
export async function copyFingerprinted(
  from: string,
  to: string,
  signal: AbortSignal,
  onBytes: (count: number) => void = () => {},
): Promise<string> {
  signal.throwIfAborted()
  await rm(to, { force: true })
  const source = await open(from, 'r')
  try {
    const target = await open(to, 'wx', 0o600)
    try {
      return await pump(source, target, signal, onBytes)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

async function pump(
  source: FileHandle,
  target: FileHandle,
  signal: AbortSignal,
  onBytes: (count: number) => void,
): Promise<string> {
  const hash = createHash('sha256')
  let [full, free] = [Buffer.allocUnsafeSlow(CHUNK_BYTES), Buffer.allocUnsafeSlow(CHUNK_BYTES)]
  let at = 0
  let { bytesRead } = await source.read(full, 0, CHUNK_BYTES, at)
  while (bytesRead > 0) {
    const chunk = full.subarray(0, bytesRead)
    // Other threads write this chunk and read the next one while this thread hashes.
    const next = source.read(free, 0, CHUNK_BYTES, at + bytesRead)
    const moved = Promise.all([next, writeWhatIsNotZero(target, chunk, at)])
    hash.update(chunk)
    const [read] = await moved
    onBytes(bytesRead)
    signal.throwIfAborted()
    at += bytesRead
    bytesRead = read.bytesRead
    ;[full, free] = [free, full]
  }
  // Zeros at the end were not written, so set the size.
  await target.truncate(at)
  return hash.digest('hex')
}

async function writeWhatIsNotZero(target: FileHandle, chunk: Buffer, at: number): Promise<void> {
  let from = 0
  for (let start = 0; start < chunk.length; start += ZEROES.length) {
    const end = Math.min(start + ZEROES.length, chunk.length)
    if (chunk.compare(ZEROES, 0, end - start, start, end) !== 0) continue
    await writeAll(target, chunk.subarray(from, start), at + from)
    from = end
  }
  await writeAll(target, chunk.subarray(from), at + from)
}

async function writeAll(target: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await target.write(bytes, done, bytes.length - done, at + done)
    done += bytesWritten
  }
}
