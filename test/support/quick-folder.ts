import { existsSync, statfsSync } from 'node:fs'
import os from 'node:os'

/** A file system in memory, if there is one. */
const MEMORY = '/dev/shm'
/** The most that a run stores, with room for other programs. */
const NEEDED_BYTES = 4 * 2 ** 30

/** All folders that `quickFolder` may return. */
export const QUICK_FOLDERS: readonly string[] = [os.tmpdir(), MEMORY].filter(existsSync)

/**
 * The folder for databases and journals of tests: in memory if there is room, because many small
 * files and synchronous writes take several times as long on a disk.
 */
export function quickFolder(): string {
  if (!existsSync(MEMORY)) return os.tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= NEEDED_BYTES ? MEMORY : os.tmpdir()
}
