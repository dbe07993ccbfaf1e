import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, lstatSync } from 'node:fs'
import { namesIn } from './list.ts'
import type { Quota } from './quota.ts'
import { moveAway, removeNow, removeTree } from './remove.ts'
import { isFull } from './trash.ts'
import { at, FOLDER, openIn, rawAt, type Tree, using } from './tree.ts'

/** How the names begin that leftovers get in the hidden folder. */
const LEFT = 'left-'

/** Deletes what an earlier helper left when it was killed. */
export async function tidy(tree: Tree, quota: Quota): Promise<void> {
  const removed = (bytes: number) => quota.take(-bytes)
  const hidden = tree.hidden()
  try {
    for (const name of setAside(hidden, removed)) await removeTree(hidden, name, { removed })
  } finally {
    closeSync(hidden)
  }
  await forgetOld(tree, quota)
}

/**
 * Renames leftovers all at once, before the first request: that may use the same names, such as a
 * task that comes again. @returns what is to be deleted
 */
function setAside(hidden: number, removed: (bytes: number) => void): Buffer[] {
  const away = (folder: number, name: string): void => {
    if (!statsIn(folder, name)) return
    try {
      moveAway(folder, name, at(hidden, `${LEFT}${randomUUID()}`))
    } catch (error) {
      if (!isFull(error)) throw error
      removeNow(folder, Buffer.from(name), removed)
    }
  }
  away(hidden, 'trash')
  away(hidden, 'temporary')
  if (statsIn(hidden, 'tasks')?.isDirectory())
    using(openIn(hidden, 'tasks', FOLDER), (tasks) => {
      for (const entry of namesIn(tasks))
        if (entry.isDirectory())
          using(openIn(tasks, entry.name, FOLDER), (task) => {
            // The server closed it to itself: it is deleted when it is old.
            if ((fstatSync(task).mode & 0o700) !== 0o700) return
            // Deleted for good: a task that comes again does not look for it.
            away(task, 'trash')
            // Only a planned task that is not done goes on with what it has made.
            if (!statsIn(task, 'plan.json') || statsIn(task, 'done.json')) away(task, 'out')
          })
    })
  return namesIn(hidden).flatMap(({ name }) => (name.toString().startsWith(LEFT) ? [name] : []))
}

const statsIn = (folder: number, name: string) =>
  lstatSync(at(folder, name), { throwIfNoEntry: false })

const DAY_MS = 86_400_000
/** A task that is sent again after this long is a new one. */
const KEPT_DAYS = 7

async function forgetOld(tree: Tree, quota: Quota): Promise<void> {
  const folder = tree.hidden('tasks')
  try {
    for (const { name } of namesIn(folder)) {
      const stats = lstatSync(rawAt(folder, name), { throwIfNoEntry: false })
      if (!stats || stats.mtimeMs > Date.now() - KEPT_DAYS * DAY_MS) continue
      await removeTree(folder, name, { removed: (bytes) => quota.take(-bytes) })
    }
  } finally {
    closeSync(folder)
  }
}
