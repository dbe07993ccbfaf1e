import { type BigIntStats, fstatSync } from 'node:fs'
import {
  type Entry,
  type FileSpace,
  SPACE_FILES,
  SPACE_ITEMS,
  SPACE_SECONDS,
} from '@lodge/shared/files.ts'
import { FileRefusal, refusalOf } from '../refusal.ts'
import { entriesAt } from './archive.ts'
import { entryOf } from './entry.ts'
import { Largest } from './largest.ts'
import { shownIn } from './list.ts'
import type { Asker } from './place.ts'
import { FOLDER, join, using } from './tree.ts'
import type { Walked, WalkOptions } from './walk.ts'

/** The kernel counts blocks of this size, whatever those of the file system are. */
const BLOCK = 512n
/** Of files with several names; of more, each name counts. */
const MOST_LINKED = 100_000
const GONE: ReadonlySet<string> = new Set(['file_not_found', 'not_a_folder'])

interface Sized {
  readonly entry: Entry
  readonly bytes: number
}

/**
 * What takes the space of a folder. Links are not followed, other file systems not entered, and what the
 * rules close is left out. It ends after some seconds with what it has seen.
 */
export async function spaceOf(
  asker: Asker,
  path: string,
  signal: AbortSignal,
  nowMs: () => number = () => performance.now(),
): Promise<FileSpace> {
  const { tree, access } = asker
  access.requireList(path)
  const { dev } = fstatSync(tree.fd, { bigint: true })
  const endsAtMs = nowMs() + SPACE_SECONDS * 1_000
  const [items, files] = [new Largest<Sized>(SPACE_ITEMS), new Largest<Sized>(SPACE_FILES)]
  const linked = new Set<bigint>()
  const depth = path === '/' ? 0 : path.split('/').length - 1
  let current: { entry: Entry; bytes: number } | undefined
  let [total, truncated] = [0, false]
  const settle = () => {
    if (current) items.add(current)
  }
  const enters = (stats: BigIntStats) => stats.dev === dev
  const skipped = () => {
    truncated = true
  }
  for await (const { stats, path: at } of visible(asker, path, { signal, enters, skipped })) {
    if (nowMs() > endsAtMs) {
      truncated = true
      break
    }
    if (at === path) {
      if (!stats.isDirectory()) throw notAFolder()
      continue
    }
    // What lies on another file system takes no space of this one.
    const counts = stats.dev === dev && isFirstName(stats, linked)
    const bytes = counts ? Number(stats.blocks * BLOCK) : 0
    const entry = entryOf(at, stats)
    if (at.split('/').length === depth + 2) {
      settle()
      current = { entry, bytes: 0 }
    }
    if (current) current.bytes += bytes
    total += bytes
    if (stats.isFile()) files.add({ entry, bytes })
  }
  settle()
  const named = items.list()
  return { bytes: total, items: named, others: items.others, files: files.list(), truncated }
}

const notAFolder = () => new FileRefusal('not_a_folder', 'A part of the path is not a folder.')

/** Whether a file was not seen by another of its names. */
function isFirstName(stats: BigIntStats, linked: Set<bigint>): boolean {
  if (stats.nlink < 2n || stats.isDirectory()) return true
  if (linked.has(stats.ino)) return false
  if (linked.size < MOST_LINKED) linked.add(stats.ino)
  return true
}

/** Everything at and below a folder. One that is closed, but leads to others, contains only those. */
async function* visible(
  asker: Asker,
  path: string,
  options: WalkOptions,
): AsyncGenerator<Pick<Walked, 'stats' | 'path'>> {
  const { tree, access } = asker
  if (access.sees(path)) return yield* entriesAt(asker, path, options)
  const inner = using(tree.open(path, FOLDER, 'refused'), (folder) => ({
    stats: fstatSync(folder, { bigint: true }),
    names: shownIn(asker, folder, path),
  }))
  yield { stats: inner.stats, path }
  for (const { text, isFolder } of inner.names) {
    const child = join(path, text)
    if (isFolder || access.sees(child)) yield* unlessGone(visible(asker, child, options))
  }
}

/** What is deleted while a folder is measured takes no space of it. */
async function* unlessGone<T>(all: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield* all
  } catch (error) {
    if (!GONE.has(refusalOf(error).code)) throw error
  }
}
