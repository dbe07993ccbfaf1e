import { isUtf8 } from 'node:buffer'
import { type BigIntStats, closeSync, lstatSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { FileRefusal } from '../refusal.ts'
import { namesIn } from './list.ts'
import { type Asker, type Place, placeIn } from './place.ts'
import { FOLDER, join, openIn } from './tree.ts'

const MAX_DEPTH = 1_000
/** So many entries are handled before other requests get their turn. */
const TURN = 100

export interface Walked {
  readonly place: Place
  readonly stats: BigIntStats
  /** The path as it is shown, beginning with the path that was asked for. */
  readonly path: string
  /** Names below the start; empty for the start itself. */
  readonly below: readonly string[]
}

export interface WalkOptions {
  readonly signal: AbortSignal
  /** Told about entries that are left out: closed by a rule, or with a name that is no text. */
  readonly skipped?: (path: string, why: string) => void
  /** Whether what a folder contains is walked, too. */
  readonly enters?: (stats: BigIntStats) => boolean
}

/**
 * Everything at and below a place, folders before what they contain. Links are reported, never
 * followed, and entries that the rules close are left out.
 */
export async function* walk(
  asker: Asker,
  start: Place,
  path: string,
  options: WalkOptions,
): AsyncGenerator<Walked> {
  let count = 0
  for (const found of step(asker, start, path, [], options)) {
    yield found
    count += 1
    if (count % TURN === 0) await setImmediate()
    options.signal.throwIfAborted()
  }
}

function* step(
  asker: Asker,
  place: Place,
  path: string,
  below: readonly string[],
  options: WalkOptions,
): Generator<Walked> {
  const { access } = asker
  if (!access.sees(path) || !access.sees(place.path)) return
  const stats = lstatSync(place.at, { bigint: true, throwIfNoEntry: false })
  if (!stats) {
    if (below.length > 0) return
    throw new FileRefusal('file_not_found', `There is nothing at ${path}.`)
  }
  yield { place, stats, path, below }
  if (!stats.isDirectory() || options.enters?.(stats) === false) return
  if (below.length >= MAX_DEPTH) return options.skipped?.(path, 'it is nested too deeply')
  let folder: number
  try {
    folder = openIn(place.folder, place.name, FOLDER)
  } catch {
    // Deleted or replaced since, or closed by its permissions.
    return options.skipped?.(path, 'it could not be opened')
  }
  try {
    let names: ReturnType<typeof namesIn>
    try {
      names = namesIn(folder)
    } catch {
      return options.skipped?.(path, 'it could not be read')
    }
    names.sort((one, two) => Buffer.compare(one.name, two.name))
    for (const { name } of names) {
      const text = name.toString()
      if (!isUtf8(name)) options.skipped?.(join(path, text), 'its name is no text')
      else {
        const inner = placeIn(folder, text, place.path)
        yield* step(asker, inner, join(path, text), [...below, text], options)
      }
    }
  } finally {
    closeSync(folder)
  }
}
