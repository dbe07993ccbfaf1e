import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathsIn } from './layout.ts'
import { createLoopDisk, dropLoopDisk, imageBytes } from './loop-disk.ts'

/**
 * Folders with a formatted and mounted disk, ready for new servers: formatting and mounting is most
 * of what creating one takes. Renaming the folder hands it over, because the mount below moves
 * along.
 */
export interface WarmDisks {
  /**
   * Renames a spare disk of this size to the given folder. Returns false when there is none, or the
   * folder exists.
   */
  take(diskMb: number, folder: string): Promise<boolean>
  /** Prepares one more when there are fewer than `count` of this size. Returns whether it did. */
  add(diskMb: number, count: number): Promise<boolean>
}

/** Spares of other sizes are kept until there are this many in total. */
const MOST = 8
const UNFINISHED = 'new-'

/** Spares below `root`, named after their size in bytes once complete. */
export function warmDisks(root: string): WarmDisks {
  let tidied = false

  async function drop(name: string): Promise<void> {
    const paths = pathsIn(join(root, name))
    await dropLoopDisk(paths)
    await rm(paths.folder, { recursive: true, force: true })
  }

  /**
   * Lists complete spares and, the first time, deletes those that a killed agent left unfinished.
   */
  async function names(): Promise<string[]> {
    await mkdir(root, { recursive: true, mode: 0o711 })
    const all = await readdir(root)
    const unfinished = all.filter((name) => name.startsWith(UNFINISHED))
    if (!tidied) for (const name of unfinished) await drop(name)
    tidied = true
    return all.filter((name) => !unfinished.includes(name))
  }

  return {
    async take(diskMb, folder) {
      const all = await readdir(root).catch(() => [])
      for (const name of all.filter((one) => one.startsWith(`${imageBytes(diskMb)}-`))) {
        try {
          await rename(join(root, name), folder)
          return true
        } catch {
          // Another server took it first, or the folder exists already.
        }
      }
      return false
    },
    async add(diskMb, count) {
      const prefix = `${imageBytes(diskMb)}-`
      const all = await names()
      if (all.filter((name) => name.startsWith(prefix)).length >= count) return false
      const other = all.find((name) => !name.startsWith(prefix))
      if (all.length >= MOST && other) await drop(other)
      const made = `${UNFINISHED}${randomUUID()}`
      const paths = pathsIn(join(root, made))
      try {
        await mkdir(paths.folder, { mode: 0o711 })
        await createLoopDisk(paths, diskMb)
        await rename(paths.folder, join(root, `${prefix}${randomUUID()}`))
      } catch (error) {
        await drop(made).catch(() => {})
        throw error
      }
      return true
    },
  }
}
