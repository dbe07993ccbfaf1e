import type { Readable } from 'node:stream'

/** Bytes from `start` to `end`, both inclusive, as in HTTP. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Stores the bytes of blobs by name; references are handled elsewhere. */
export interface BlobBackend {
  /**
   * Gives a complete file its name. On return the bytes are durable; before that, nothing is
   * visible under the name. An existing name already has the same bytes.
   */
  keep(file: string, sha256: string): Promise<void>
  /** Size in bytes; null if it does not exist. */
  sizeOf(sha256: string): Promise<number | null>
  read(sha256: string, range?: ByteRange): Promise<Readable>
  /** Does nothing if it does not exist. */
  delete(sha256: string): Promise<void>
}
