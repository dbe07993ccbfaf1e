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
 * Files too large for the database, stored once each and named by their SHA-256. A blob stays while
 * it is referenced and for a grace period, so that an uploader has time to refer to it. A blob's
 * bytes are always complete.
 */
export interface Blobs {
  /**
   * Stores these bytes without holding them all in memory. The blob has no references yet.
   * @throws {Problem} payload_too_large, storage_full
   */
  put(bytes: AsyncIterable<Uint8Array>, limit: { readonly maxBytes: number }): Promise<Blob>
  /** All or some of the bytes; null if the blob does not exist. */
  get(sha256: string, range?: ByteRange): Promise<Readable | null>
  /** Size in bytes; null if the blob does not exist. */
  sizeOf(sha256: string): Promise<number | null>
  /**
   * Adds a reference in the caller's transaction; idempotent.
   * @returns false if the blob does not exist, so its bytes must be uploaded again
   */
  refer(db: Db, sha256: string, owner: BlobOwner): Promise<boolean>
  /** Removes a reference in the caller's transaction: to one blob, or all of the owner's. */
  release(db: Db, owner: BlobOwner, sha256?: string): Promise<void>
  /** Removes blobs unreferenced for longer than `graceSeconds`. */
  collect(graceSeconds?: number): Promise<{ removed: number; abandoned: number }>
  /** Number and total size. */
  figures(): Promise<{ readonly count: number; readonly bytes: number }>
}

const GRACE_SECONDS = 24 * 3600

export function openBlobs(given: {
  readonly db: Db
  readonly backend: BlobBackend
  /** Folder for incomplete uploads, on the backend's disk if it is a folder. */
  readonly arriving: string
  /** Limit of all blobs together. */
  readonly limitBytes: number
}): Blobs {
  const { db, backend, arriving, limitBytes } = given

  /**
   * The row is written before the bytes get their name, so a crash leaves nothing that is never
   * collected.
   */
  async function keep(file: string, blob: Blob): Promise<void> {
    await store.announce(db, blob)
    const isComplete = async () => (await backend.sizeOf(blob.sha256)) === blob.sizeBytes
    if (!(await isComplete())) await backend.keep(file, blob.sha256)
    if (await store.markKept(db, blob.sha256, isComplete)) return
    // The bytes may have arrived after the row was deleted: with a new row they are collected.
    await store.announce(db, blob)
    throw new Error(`the blob ${blob.sha256} took so long to keep that it was collected`)
  }

  return {
    async put(bytes, { maxBytes }) {
      const room = limitBytes - (await store.figures(db)).bytes
      if (room <= 0)
        throw new Problem(
          'storage_full',
          'The space for files is used up: raise LODGE_BLOBS_GIB, or delete some',
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
