import { statfsSync } from 'node:fs'
import type { FileUsage } from '@lodge/shared/files.ts'
import { FileRefusal } from '../refusal.ts'

/** What the agent tells about a server's disk, at the start and from time to time. */
export interface DiskFacts {
  readonly limitBytes: number | null
  readonly usedBytes: number | null
  readonly measuredAtMs: number | null
  readonly enforced: boolean
}

/** Files that are kept only while there is room: the bin. */
interface Kept {
  readonly bytes: () => number
  /** Deletes a part of them. @returns whether there was one */
  readonly giveUp: () => boolean
}

/** Space that a file system may need for metadata on top of what is written. */
const METADATA_BYTES = 1024 * 1024

/** Writes within this time are counted as one. */
const ENTRY_MS = 1_000

/**
 * Keeps a server within its disk limit where the kernel does not: counts what is written since the
 * last measurement began. What is written while it runs may be in it too, and counts twice until the
 * next one.
 */
export class Quota {
  #facts: DiskFacts = { limitBytes: null, usedBytes: null, measuredAtMs: null, enforced: false }
  #recent: { readonly fromMs: number; untilMs: number; bytes: number }[] = []
  readonly #root: string
  #kept: Kept = { bytes: () => 0, giveUp: () => false }

  constructor(root: number) {
    this.#root = `/proc/self/fd/${root}`
  }

  tell(facts: DiskFacts): void {
    const beganMs = facts.measuredAtMs ?? Number.NEGATIVE_INFINITY
    this.#recent = this.#recent.filter(({ untilMs }) => untilMs >= beganMs)
    this.#facts = facts
  }

  /** Sets what is deleted before a write is refused that would fit without it. */
  whenFull(kept: Kept): void {
    this.#kept = kept
  }

  hasRoom(bytes: number): boolean {
    const { limitBytes, enforced } = this.#facts
    if (!enforced) return limitBytes === null || this.#usedBytes() + bytes <= limitBytes
    const { bavail, bsize } = statfsSync(this.#root)
    return bytes <= bavail * bsize
  }

  /** @throws FileRefusal when this much more does not fit; nothing is counted. */
  require(bytes: number): void {
    if (this.hasRoom(bytes)) return
    if (!this.hasRoom(bytes - this.#kept.bytes())) throw full()
    while (!this.hasRoom(bytes)) if (!this.#kept.giveUp()) throw full()
  }

  /** Counts bytes that are about to be written; negative for bytes that were deleted. */
  take(bytes: number): void {
    if (this.#facts.enforced) {
      // The kernel refuses what does not fit.
      if (bytes > 0) while (!this.hasRoom(bytes + METADATA_BYTES)) if (!this.#kept.giveUp()) return
      return
    }
    if (bytes > 0) this.require(bytes)
    this.count(bytes)
  }

  /** Counts bytes that were written or deleted, even beyond the limit. */
  count(bytes: number): void {
    if (this.#facts.enforced) return
    const now = Date.now()
    const last = this.#recent.at(-1)
    if (last && now - last.fromMs < ENTRY_MS) {
      last.bytes += bytes
      last.untilMs = now
    } else this.#recent.push({ fromMs: now, untilMs: now, bytes })
  }

  usage(): FileUsage {
    const { limitBytes, enforced } = this.#facts
    if (!enforced) return { usedBytes: this.#usedBytes(), limitBytes }
    const { blocks, bfree, bsize } = statfsSync(this.#root)
    return { usedBytes: (blocks - bfree) * bsize, limitBytes }
  }

  #usedBytes(): number {
    const recent = this.#recent.reduce((sum, { bytes }) => sum + bytes, 0)
    return Math.max(0, (this.#facts.usedBytes ?? 0) + recent)
  }
}

const full = () =>
  new FileRefusal('disk_full', 'There is not enough room left on the disk of the server.')
