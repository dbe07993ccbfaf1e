import { randomUUID } from 'node:crypto'
import { closeSync, lstatSync } from 'node:fs'
import { errorCode } from '@lodge/shared/error-code.ts'
import { FileRefusal } from '../refusal.ts'
import { type Asker, inPlace, type Place } from './place.ts'
import type { Quota } from './quota.ts'
import { moveAway, removeTree } from './remove.ts'
import { at, type Tree } from './tree.ts'

/** Deleting longer than this goes on after the answer. */
const ANSWER_MS = 3_000

/** Whether the request may delete or move what is at a place, whole. */
export function requireWholeAt({ access }: Asker, place: Place, path: string): void {
  const stats = lstatSync(place.at, { throwIfNoEntry: false })
  if (!stats) throw new FileRefusal('file_not_found', `There is nothing at ${path}.`)
  if (!stats.isDirectory()) return
  access.requireWhole(path)
  access.requireWhole(place.path)
}

/**
 * Deletes paths: each disappears in one step, and its space is given back afterwards. Returns when
 * that is done or after some seconds.
 */
export async function deletePaths(
  asker: Asker,
  quota: Quota,
  paths: readonly string[],
): Promise<void> {
  for (const path of paths)
    inPlace(asker, path, 'delete', (place) => requireWholeAt(asker, place, path))
  const trash = trashOf(asker.tree)
  if (trash === undefined) return await deleteInPlace(asker, quota, paths)
  const names = paths.map(() => randomUUID())
  try {
    for (const [index, path] of paths.entries()) {
      inPlace(asker, path, 'delete', (place) => {
        requireWholeAt(asker, place, path)
        moveAway(place.folder, place.name, at(trash, names[index] ?? ''))
      })
    }
  } catch (error) {
    await empty(trash, names, quota)
    throw error
  }
  await emptySoon(trash, names, quota)
}

/** Undefined on a disk that is so full that there is no room for a folder. */
function trashOf(tree: Tree): number | undefined {
  try {
    return tree.hidden('trash')
  } catch (error) {
    if (isFull(error)) return undefined
    throw error
  }
}

export const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '')

/** Not in one step, but it needs no room. */
async function deleteInPlace(asker: Asker, quota: Quota, paths: readonly string[]): Promise<void> {
  const removed = (bytes: number) => quota.take(-bytes)
  for (const path of paths)
    await inPlace(asker, path, 'delete', (place) => {
      requireWholeAt(asker, place, path)
      return removeTree(place.folder, Buffer.from(place.name), { removed })
    })
}

/**
 * Deletes what is in a folder that nobody sees, which it closes at the end. Returns when that is done
 * or after some seconds.
 */
export async function emptySoon(
  trash: number,
  names: readonly string[],
  quota: Quota,
): Promise<void> {
  const done = empty(trash, names, quota)
  await Promise.race([done, new Promise((resolve) => setTimeout(resolve, ANSWER_MS).unref())])
}

/** What cannot be deleted waits for the next start of the helper. */
async function empty(trash: number, names: readonly string[], quota: Quota): Promise<void> {
  try {
    for (const name of names)
      await removeTree(trash, Buffer.from(name), { removed: (bytes) => quota.take(-bytes) })
  } catch {
    // The space stays taken until then, as anybody can see.
  } finally {
    closeSync(trash)
  }
}
