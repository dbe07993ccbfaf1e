import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathsIn } from './layout.ts'
import { createLoopDisk, dropLoopDisk, imageBytes } from './loop-disk.ts'

/**
 * Folders with a formatted and mounted disk that wait for their server, because formatting and mounting
 * is most of what a new server waits for. One is given away by its name alone: renaming a folder takes
 * the disk that is mounted below it along.
 */
export interface WarmDisks {
  /** Makes a spare of this size the given folder. Answers false when there is none, or a folder already. */
  take(diskMb: number, folder: string): Promise<boolean>
  /** Makes one more when there are fewer than `count` of this size. Answers whether it did. */
  add(diskMb: number, count: number): Promise<boolean>
}

/** WarmPool of other sizes than the one asked for last stay until there are so many in all. */
const MOST = 8
const UNFINISHED = 'new-'

/** WarmPool below `root`, named after their size in bytes as soon as they are complete. */
export function warmDisks(root: string): WarmDisks {
  let tidied = false

  async function drop(name: string): Promise<void> {
    const paths = pathsIn(join(root, name))
    await dropLoopDisk(paths)
    await rm(paths.folder, { recursive: true, force: true })
  }

  /** What an agent that was killed was just making. */
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
          // Another server was faster, or the folder is there already.
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
