import type { Readable } from 'node:stream'

/** Bytes from `start` to `end`, both included, as HTTP counts them. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Where the bytes of blobs lie. It knows names and bytes; what is referred to is not its business. */
export interface BlobBackend {
  /**
   * Gives a whole file its name. When it has returned, the bytes outlive the loss of power; until then
   * nothing is there under that name. A name that is there already has the same bytes.
   */
  keep(file: string, sha256: string): Promise<void>
  /** How large it is; null when it is not there. */
  sizeOf(sha256: string): Promise<number | null>
  read(sha256: string, range?: ByteRange): Promise<Readable>
  /** Nothing happens when it is not there. */
  delete(sha256: string): Promise<void>
}
