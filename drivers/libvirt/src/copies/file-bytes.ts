import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/** SHA-256 of a file, in hex. */
export async function fingerprintOf(
  path: string,
  signal: AbortSignal,
  onBytes: (count: number) => void = () => {},
): Promise<string> {
  const hash = createHash('sha256')
  await hashInto(hash, path, signal, onBytes)
  return hash.digest('hex')
}

/** Feeds a whole file into a hash. */
export async function hashInto(
  hash: Hash,
  path: string,
  signal: AbortSignal,
  onBytes: (count: number) => void = () => {},
): Promise<void> {
  await pipeline(
    createReadStream(path, { highWaterMark: 1024 * 1024 }),
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        hash.update(chunk)
        onBytes(chunk.length)
      }
    },
    { signal },
  )
}

/** Disk space that these files use; missing files use none. */
export async function bytesOnDisk(paths: readonly string[]): Promise<number> {
  const sizes = paths.map(async (path) => ((await stat(path).catch(() => null))?.blocks ?? 0) * 512)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
