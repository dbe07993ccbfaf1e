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
  /** A further name of a file; undefined where the format has none. */
  readonly hardLink: ((entry: Packed, to: string) => Promise<void>) | undefined
  finish(): void
}

/** Resolves once nobody wants the archive any more, whether all of it was read or not. */
export const closing = (output: Readable): Promise<void> =>
  new Promise((resolve) => output.once('close', () => resolve()))
