import type { Readable } from 'node:stream'

export interface Packed {
  /** Names from the top of the archive, joined with slashes. */
  readonly name: string
  readonly mode: number
  readonly modifiedNs: bigint
}

/** Writes entries one after the other; each call returns once the entry is in the archive. */
export interface ArchiveWriter {
  readonly output: Readable
  folder(entry: Packed): Promise<void>
  file(entry: Packed, size: number, content: AsyncIterable<Uint8Array>): Promise<void>
  link(entry: Packed, target: string): Promise<void>
  /** Writes a further name of a file; undefined where the format has no hard links. */
  readonly hardLink: ((entry: Packed, to: string) => Promise<void>) | undefined
  finish(): void
}

/** Resolves once the reader has closed the archive, whether or not it has read all of it. */
export const closing = (output: Readable): Promise<void> =>
  new Promise((resolve) => output.once('close', () => resolve()))
