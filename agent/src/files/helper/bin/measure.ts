import { closeSync, lstatSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { namesIn } from '../list.ts'
import { spaceOf } from '../remove.ts'
import { FOLDER, openIn, rawAt } from '../tree.ts'

/** Entries measured before other requests get their turn. */
const TURN = 500
/** Measuring more would take longer than a person waits. */
const MOST_ENTRIES = 100_000
const MOST_DEPTH = 1_000

/** Bytes that an entry and everything in it use on the disk; undefined if more than `mostBytes`. */
export async function measure(
  folder: number,
  name: Buffer,
  mostBytes: number,
): Promise<number | undefined> {
  let [bytes, entries] = [0, 0]
  for (const more of step(folder, name, new Set(), 0)) {
    bytes += more
    entries += 1
    if (bytes > mostBytes || entries > MOST_ENTRIES) return undefined
    if (entries % TURN === 0) await setImmediate()
  }
  return bytes
}

function* step(folder: number, name: Buffer, seen: Set<string>, depth: number): Generator<number> {
  const stats = lstatSync(rawAt(folder, name), { throwIfNoEntry: false })
  if (!stats) return
  const id = `${stats.dev}:${stats.ino}`
  // A further name of a file that was counted.
  const counts = stats.nlink === 1 || stats.isDirectory() || !seen.has(id)
  if (stats.nlink > 1 && !stats.isDirectory()) seen.add(id)
  yield counts ? spaceOf(stats) : 0
  if (!stats.isDirectory()) return
  if (depth >= MOST_DEPTH) yield Number.POSITIVE_INFINITY
  let inner: number
  try {
    inner = openIn(folder, name, FOLDER)
  } catch {
    // Deleted or replaced since.
    return
  }
  try {
    for (const entry of namesOf(inner)) yield* step(inner, entry.name, seen, depth + 1)
  } finally {
    closeSync(inner)
  }
}

/** None of a folder that the server closed to itself. */
function namesOf(folder: number): ReturnType<typeof namesIn> {
  try {
    return namesIn(folder)
  } catch {
    return []
  }
}
