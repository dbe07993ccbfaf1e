import { existsSync, statfsSync } from 'node:fs'
import os from 'node:os'

/** Files in memory, if the system has them. */
const MEMORY = '/dev/shm'
/** As much as a run stores at most, with room for other programs. */
const NEEDED_BYTES = 4 * 2 ** 30

/** Where `quickFolder` may have put something. */
export const QUICK_FOLDERS: readonly string[] = [os.tmpdir(), MEMORY].filter(existsSync)

/**
 * Where databases and journals of tests lie: in memory if there is room, because many small files
 * and writes that wait for a disk take several times as long on one.
 */
export function quickFolder(): string {
  if (!existsSync(MEMORY)) return os.tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= NEEDED_BYTES ? MEMORY : os.tmpdir()
}
