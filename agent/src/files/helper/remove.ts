import {
  chmodSync,
  closeSync,
  lstatSync,
  renameSync,
  rmdirSync,
  type Stats,
  unlinkSync,
} from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { errorCode } from '@lodge/shared/error-code.ts'
import { namesIn } from './list.ts'
import { FOLDER, openIn, rawAt } from './tree.ts'

/** So many entries are deleted before other requests get their turn. */
const TURN = 100

export interface Removing {
  /** Told about each deleted entry, with the space that it gave back. */
  readonly removed?: (bytes: number) => void
  readonly signal?: AbortSignal
}

/**
 * Deletes an entry of an open folder with everything in it, never through a link. Folders that the
 * server closed to itself are opened first.
 */
export async function removeTree(
  folder: number,
  name: Buffer,
  options: Removing = {},
): Promise<void> {
  let count = 0
  for (const bytes of step(folder, name)) {
    options.removed?.(bytes)
    count += 1
    if (count % TURN !== 0) continue
    await setImmediate()
    options.signal?.throwIfAborted()
  }
}

/** The same at once, for somebody who waits for the room. */
export function removeNow(folder: number, name: Buffer, removed: (bytes: number) => void): void {
  for (const bytes of step(folder, name)) removed(bytes)
}

function* step(folder: number, name: Buffer): Generator<number> {
  const at = rawAt(folder, name)
  const stats = lstatSync(at, { throwIfNoEntry: false })
  if (!stats) return
  if (!stats.isDirectory()) {
    unless('ENOENT', () => unlinkSync(at))
    yield stats.nlink === 1 ? spaceOf(stats) : 0
    return
  }
  const inner = openIn(folder, name, FOLDER)
  try {
    if ((stats.mode & 0o700) !== 0o700) chmodSync(`/proc/self/fd/${inner}`, 0o700)
    for (const entry of namesIn(inner)) yield* step(inner, entry.name)
  } finally {
    closeSync(inner)
  }
  unless('ENOENT', () => rmdirSync(at))
  yield 0
}

/** What a file takes up, without its holes. */
export const spaceOf = ({ size, blocks }: Pick<Stats, 'size' | 'blocks'>): number =>
  Math.min(size, blocks * 512)

/**
 * Renames an entry; a folder needs to be writable for that, which its owner can make it. It gets
 * `mode` back afterwards.
 */
export function moveAway(
  folder: number,
  name: string,
  to: string,
  mode?: number,
  rename: (from: Buffer, to: string) => void = renameSync,
): void {
  const from = rawAt(folder, Buffer.from(name))
  try {
    rename(from, to)
    return
  } catch (error) {
    if (errorCode(error) !== 'EACCES') throw error
  }
  const inner = openIn(folder, name, FOLDER)
  const own = `/proc/self/fd/${inner}`
  try {
    chmodSync(own, 0o700)
    rename(from, to)
    if (mode !== undefined) chmodSync(own, mode)
  } finally {
    closeSync(inner)
  }
}

function unless(code: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    if (errorCode(error) !== code) throw error
  }
}
