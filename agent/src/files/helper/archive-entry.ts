import { isUtf8 } from 'node:buffer'
import { FileRefusal } from '../refusal.ts'
import type { Looks } from './builder.ts'

/** One entry of an archive of any format. */
export interface ArchiveEntry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'link' | 'hard-link' | 'other'
  readonly looks: Looks
  /** Of links. */
  readonly target?: string
  /** Of files; read before the next entry is asked for. */
  readonly content?: AsyncIterable<Uint8Array>
}

/** A name that an archive does not declare the encoding of: UTF-8 if it can be, otherwise `other`. */
export const nameIn = (bytes: Buffer, other: (bytes: Buffer) => string): string =>
  isUtf8(bytes) ? bytes.toString() : other(bytes)

export const invalid = (why: string, cause?: unknown) =>
  new FileRefusal('invalid_archive', `The archive cannot be unpacked: ${why}.`, { cause })
