import { randomUUID } from 'node:crypto'
import { lstatSync, renameSync } from 'node:fs'
import type { BinDelete, BinDeleted } from '@lodge/shared/deleted-files.ts'
import { FileRefusal } from '../../refusal.ts'
import { type Asker, inPlace } from '../place.ts'
import type { Quota } from '../quota.ts'
import { moveAway, removeNow } from '../remove.ts'
import { renameWithoutReplacing } from '../system.ts'
import { deletePaths, emptySoon, requireWholeAt } from '../trash.ts'
import { at, rawAt, type Tree, using } from '../tree.ts'
import { measure } from './measure.ts'
import { BIN, type Deletion, readBin, type Written, writeRecord } from './records.ts'

/** The share of the server's disk limit that the bin may use. */
const SHARE = 0.25
/** How much the bin may use where the server has no limit. */
const UNLIMITED_BYTES = 10 * 1024 ** 3
/** The bin takes nothing that would fill the disk beyond this share. */
const FULL = 0.9
/** From this share on, a sweep frees space: the server's own writes could soon fail. */
const TOO_FULL = 0.95
const MOST_DELETIONS = 1_000
const DAY_MS = 86_400_000

/** What the agent needs to know to sweep the bin in time. */
export interface BinState {
  /** When the next deletion expires; null while the bin is empty. */
  readonly dueMs: number | null
}

/**
 * The deleted files of a server, in its hidden folder. Each deletion is a folder with a record and
 * the entries that were moved there, all in one step each: see `docs/decisions/0016`.
 */
export class Bin {
  readonly #tree: Tree
  readonly #quota: Quota
  readonly #changed: (state: BinState) => void
  #known: Map<string, Deletion> | undefined

  constructor(tree: Tree, quota: Quota, changed: (state: BinState) => void) {
    this.#tree = tree
    this.#quota = quota
    this.#changed = changed
    quota.whenFull({ bytes: () => this.usedBytes, giveUp: () => this.#dropOldest() })
  }

  get usedBytes(): number {
    return this.deletions().reduce((sum, { entries }) => sum + sizeOf(entries.values()), 0)
  }

  /** Oldest first. */
  deletions(): readonly Deletion[] {
    return [...this.#all().values()]
  }

  /** Moves paths to the bin. Deletes them for good and returns null if the bin has no room. */
  async put(asker: Asker, asked: BinDelete): Promise<BinDeleted> {
    const { paths, by, days, otherwise } = asked
    const entries = await this.#measured(asker, paths)
    if (!entries || !this.#makeRoom(sizeOf(entries))) {
      if (otherwise === 'refuse')
        throw new FileRefusal(
          'too_large_for_bin',
          'There is no room to keep this as deleted files: delete it for good instead.',
        )
      await deletePaths(asker, this.#quota, paths)
      return { deletionId: null }
    }
    const now = Date.now()
    const record: Written = {
      deletedAt: new Date(now).toISOString(),
      keptUntil: new Date(now + days * DAY_MS).toISOString(),
      by,
      entries,
    }
    const id = randomUUID()
    this.#move(asker, id, paths, record)
    this.#all().set(id, { ...record, id, entries: new Map(entries.entries()) })
    this.#tell()
    return { deletionId: id }
  }

  /** Takes an entry out of the bin. @param move moves it from this name in this open folder */
  take(id: string, index: number, move: (folder: number, name: string) => void): void {
    const deletion = this.#all().get(id)
    const name = `${index}`
    try {
      using(this.#tree.hidden(BIN, id), (folder) => {
        const isThere = lstatSync(at(folder, name), { throwIfNoEntry: false }) !== undefined
        if (isThere) move(folder, name)
        deletion?.entries.delete(index)
        if (!isThere)
          throw new FileRefusal('file_not_found', 'It is no longer among the deleted files.')
      })
    } finally {
      if (!deletion || deletion.entries.size === 0) this.#forget(id)
      this.#tell()
    }
  }

  /** Deletes entries for good. */
  async drop(picked: readonly { readonly id: string; readonly index: number }[]): Promise<void> {
    const bin = this.#tree.hidden(BIN)
    const names: string[] = []
    try {
      for (const { id, index } of picked)
        this.take(id, index, (folder, name) => {
          const gone = goneName()
          moveAway(folder, name, at(bin, gone))
          names.push(gone)
        })
    } finally {
      await emptySoon(bin, names, this.#quota)
    }
  }

  /** Deletes what has expired, what is no deletion, and then the oldest until this much is free. */
  async sweep(needBytes: number): Promise<void> {
    const { deletions, junk } = readBin(this.#tree)
    this.#known = new Map(deletions.map((one) => [one.id, one]))
    const now = Date.now()
    for (const { id, keptUntil } of deletions) {
      if (Date.parse(keptUntil) > now) continue
      this.#known.delete(id)
      junk.push(Buffer.from(id))
    }
    if (this.#usedShare() > TOO_FULL) this.#dropUntil(() => this.#usedShare() <= FULL)
    this.#dropUntil(() => this.#quota.hasRoom(needBytes))
    this.#tell()
    if (junk.length === 0) return
    const bin = this.#tree.hidden(BIN)
    const names = junk.flatMap((name) => setAside(bin, name) ?? [])
    await emptySoon(bin, names, this.#quota)
  }

  #all(): Map<string, Deletion> {
    this.#known ??= new Map(readBin(this.#tree).deletions.map((one) => [one.id, one]))
    return this.#known
  }

  /** The entries to delete, by their real paths; undefined if they exceed what the bin takes. */
  async #measured(asker: Asker, paths: readonly string[]): Promise<Written['entries'] | undefined> {
    const most = this.#mostBytes()
    for (const path of paths)
      inPlace(asker, path, 'delete', (place) => requireWholeAt(asker, place, path))
    const entries: Written['entries'] = []
    for (const path of paths) {
      const entry = await inPlace(asker, path, 'delete', async (place) => ({
        path: place.path,
        sizeBytes: await measure(place.folder, Buffer.from(place.name), most),
      }))
      if (entry.sizeBytes === undefined) return undefined
      entries.push({ path: entry.path, sizeBytes: entry.sizeBytes })
    }
    return entries
  }

  /** Moves each path in one step. If one cannot be moved, those before it are moved back. */
  #move(asker: Asker, id: string, paths: readonly string[], record: Written): void {
    const back: (() => void)[] = []
    try {
      using(this.#tree.hidden(BIN, id), (folder) => {
        this.#quota.count(writeRecord(folder, record))
        for (const [index, path] of paths.entries()) {
          inPlace(asker, path, 'delete', (place) => {
            requireWholeAt(asker, place, path)
            if (place.path !== record.entries[index]?.path)
              throw new FileRefusal('file_not_found', `${path} was moved meanwhile.`)
            const { mode } = lstatSync(place.at)
            moveAway(place.folder, place.name, at(folder, `${index}`), mode & 0o777)
          })
          back.push(() =>
            using(this.#tree.hidden(BIN, id), (from) =>
              inPlace(asker, path, 'delete', (place) =>
                moveAway(from, `${index}`, place.at, undefined, renameWithoutReplacing),
              ),
            ),
          )
        }
      })
    } catch (error) {
      for (const one of back.reverse()) quietly(one)
      // What found its place taken meanwhile stays in the bin.
      this.#known = undefined
      if (!this.#all().has(id)) this.#remove(Buffer.from(id))
      throw error
    }
  }

  #mostBytes(): number {
    const { limitBytes } = this.#quota.usage()
    return limitBytes === null ? UNLIMITED_BYTES : limitBytes * SHARE
  }

  #usedShare(): number {
    const { usedBytes, limitBytes } = this.#quota.usage()
    return usedBytes === null || limitBytes === null ? 0 : usedBytes / limitBytes
  }

  /** Deletes the oldest until this much more fits. @returns whether it does */
  #makeRoom(bytes: number): boolean {
    const { usedBytes, limitBytes } = this.#quota.usage()
    const most = this.#mostBytes()
    if (bytes > most) return false
    // What is moved to the bin is on the disk already.
    if (limitBytes !== null && (usedBytes ?? 0) - this.usedBytes > limitBytes * FULL) return false
    this.#dropUntil(
      () =>
        this.usedBytes + bytes <= most &&
        this.#usedShare() <= FULL &&
        this.#all().size < MOST_DELETIONS,
    )
    return true
  }

  #dropUntil(isEnough: () => boolean): void {
    while (!isEnough()) if (!this.#dropOldest()) return
  }

  /** @returns whether there was one */
  #dropOldest(): boolean {
    const [oldest] = this.#all().keys()
    if (oldest === undefined) return false
    this.#forget(oldest)
    this.#tell()
    return true
  }

  #forget(id: string): void {
    this.#all().delete(id)
    this.#remove(Buffer.from(id))
  }

  /** Deletes it before returning, because the caller needs the space. */
  #remove(name: Buffer): void {
    quietly(() =>
      using(this.#tree.hidden(BIN), (bin) => {
        const gone = setAside(bin, name)
        if (gone === undefined) return
        removeNow(bin, Buffer.from(gone), (bytes) => this.#quota.take(-bytes))
      }),
    )
  }

  #tell(): void {
    const due = this.deletions().map(({ keptUntil }) => Date.parse(keptUntil))
    this.#changed({ dueMs: due.length === 0 ? null : Math.min(...due) })
  }
}

/** A name that no deletion has, so what a crash leaves under it is swept. */
const goneName = () => `gone-${randomUUID()}`

/** Renames something in the bin, in one step, so that it is no deletion any more; undefined if it is missing. */
function setAside(bin: number, name: Buffer): string | undefined {
  const gone = goneName()
  try {
    renameSync(rawAt(bin, name), at(bin, gone))
    return gone
  } catch {
    // The server took it away meanwhile.
    return undefined
  }
}

const sizeOf = (entries: Iterable<Written['entries'][number]>): number =>
  [...entries].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)

/** Ignores failures: what cannot be deleted now is swept when the helper starts the next time. */
function quietly(work: () => void): void {
  try {
    work()
  } catch {
    // The server deleted or closed it.
  }
}
