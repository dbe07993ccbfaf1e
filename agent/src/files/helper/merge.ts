import { lstatSync, mkdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs'
import { errorCode } from '@lodge/shared/error-code.ts'
import { namesIn } from './list.ts'
import { type Asker, type Place, placeIn } from './place.ts'
import { moveAway } from './remove.ts'
import { renameWithoutReplacing } from './system.ts'
import { at, FOLDER, join, openIn, using } from './tree.ts'

export interface Merging {
  readonly replace: boolean
  readonly skipped: (path: string, why: string) => void
}

/**
 * Moves a staged entry to its place. A folder that is there already is filled up; everything else
 * that is there is replaced or left alone. What is left alone stays behind.
 */
export function merge(
  asker: Asker,
  source: { readonly folder: number; readonly name: string },
  target: Place,
  path: string,
  options: Merging,
): void {
  const why = moveTo(asker, source, target, path, options)
  if (why !== undefined) options.skipped(path, why)
}

/** Returns why the entry was left alone. */
function moveTo(
  asker: Asker,
  source: { readonly folder: number; readonly name: string },
  target: Place,
  path: string,
  options: Merging,
): string | undefined {
  const { access } = asker
  if (!access.writes(path) || !access.writes(target.path)) return 'you may not write there'
  const from = at(source.folder, source.name)
  const staged = lstatSync(from, { throwIfNoEntry: false })
  // Moved before an interruption.
  if (!staged) return undefined
  const present = lstatSync(target.at, { throwIfNoEntry: false })
  const whole = access.isWhole(path) && access.isWhole(target.path)
  if (staged.isDirectory() && (present?.isDirectory() || (!present && !whole))) {
    if (!present) mkdirSync(target.at, { mode: 0o755 })
    mergeFolder(asker, source, target, path, options)
    return undefined
  }
  if (present?.isDirectory()) return 'a folder has this name'
  if (present && !options.replace) return 'it already exists'
  if (staged.isDirectory()) {
    if (present) unlinkSync(target.at)
    moveAway(source.folder, source.name, target.at, staged.mode & 0o777)
  } else if (options.replace) renameSync(from, target.at)
  else renameWithoutReplacing(from, target.at)
  return undefined
}

function mergeFolder(
  asker: Asker,
  source: { readonly folder: number; readonly name: string },
  target: Place,
  path: string,
  options: Merging,
): void {
  using(openIn(source.folder, source.name, FOLDER), (from) => {
    using(openIn(target.folder, target.name, FOLDER), (into) => {
      for (const { name } of namesIn(from)) {
        const text = name.toString()
        const inner = placeIn(into, text, target.path)
        merge(asker, { folder: from, name: text }, inner, join(path, text), options)
      }
    })
  })
  try {
    rmdirSync(at(source.folder, source.name))
  } catch (error) {
    // Something was left behind in it.
    if (errorCode(error) !== 'ENOTEMPTY') throw error
  }
}
