import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Db } from '../db/database.ts'
import { Problem } from '../problem.ts'
import type { BlobBackend, ByteRange } from './backend.ts'
import type { Blob, BlobOwner } from './blob.ts'
import { collect } from './collect.ts'
import { dropAbandoned, receive } from './receive.ts'
import * as store from './store.ts'

/**
 * Files that are too large for the database, each once, named by the SHA-256 of its bytes. A blob stays as
 * long as something refers to it, and for a while after that: whoever has just put one has time to refer
 * to it. At no moment is there a blob whose bytes are not whole.
 */
export interface Blobs {
  /**
   * Keeps these bytes; they never lie in memory as a whole. Nothing refers to them yet.
   * @throws Problem payload_too_large, storage_full
   */
  put(bytes: AsyncIterable<Uint8Array>, limit: { readonly maxBytes: number }): Promise<Blob>
  /** The bytes, or some of them; null when there is no such blob. */
  get(sha256: string, range?: ByteRange): Promise<Readable | null>
  /** How large it is; null when there is no such blob. */
  sizeOf(sha256: string): Promise<number | null>
  /**
   * Says in the caller's transaction that something needs the blob; saying it again changes nothing.
   * @returns false when there is no such blob, so that its bytes have to be put again
   */
  refer(db: Db, sha256: string, owner: BlobOwner): Promise<boolean>
  /** Says in the caller's transaction that this is not needed any more: one blob, or all of its owner. */
  release(db: Db, owner: BlobOwner, sha256?: string): Promise<void>
  /** Takes away what nothing has referred to for as long as `graceSeconds`. */
  collect(graceSeconds?: number): Promise<{ removed: number; abandoned: number }>
  /** How many there are, and how much they take. */
  figures(): Promise<{ readonly count: number; readonly bytes: number }>
}

const GRACE_SECONDS = 24 * 3600

export function openBlobs(given: {
  readonly db: Db
  readonly backend: BlobBackend
  /** For what is still arriving; on the disk of the backend, where that is a folder. */
  readonly arriving: string
  /** What all of them may take. */
  readonly limitBytes: number
}): Blobs {
  const { db, backend, arriving, limitBytes } = given

  /** Known before the bytes have their name, so that a crash leaves nothing that nobody collects. */
  async function keep(file: string, blob: Blob): Promise<void> {
    await store.announce(db, blob)
    if ((await backend.sizeOf(blob.sha256)) !== blob.sizeBytes)
      await backend.keep(file, blob.sha256)
    if (await store.markKept(db, blob.sha256)) return
    // Its bytes may have come after the row had gone: with a row they are collected.
    await store.announce(db, blob)
    throw new Error(`the blob ${blob.sha256} took so long to keep that it was collected`)
  }

  return {
    async put(bytes, { maxBytes }) {
      const room = limitBytes - (await store.figures(db)).bytes
      if (room <= 0)
        throw new Problem(
          'storage_full',
          'Files take as much as they may: let them take more by LODGE_BLOBS_GIB, or delete some',
        )
      const { file, ...blob } = await receive(arriving, bytes, Math.min(maxBytes, room))
      try {
        await keep(file, blob)
        return blob
      } finally {
        await rm(file, { force: true })
      }
    },
    async get(sha256, range) {
      return (await store.keptSize(db, sha256)) === null ? null : await backend.read(sha256, range)
    },
    sizeOf: (sha256) => store.keptSize(db, sha256),
    refer: store.refer,
    release: store.release,
    async collect(graceSeconds = GRACE_SECONDS) {
      const removed = await collect(db, backend, graceSeconds)
      return { removed, abandoned: await dropAbandoned(arriving) }
    },
    figures: () => store.figures(db),
  }
}
