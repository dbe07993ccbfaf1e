import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FrozenData } from '@lodge/driver/capabilities/backups.ts'
import { runProgram } from '@lodge/driver/run-program.ts'
import { shareBlocks } from '@lodge/driver/share-blocks.ts'
import { exists } from '@lodge/shared/local/files.ts'
import { pathsIn, type ServerPaths } from './layout.ts'
import { dropLoopDisk, mountLoopDisk } from './loop-disk.ts'

/**
 * Clones the image of a server's disk, where the node's file system shares blocks between files
 * (XFS, Btrfs). The clone is what a power cut would leave, after everything written so far has
 * reached the image; mounting it replays its journal.
 */
export async function freezeData(
  own: ServerPaths,
  signal: AbortSignal,
): Promise<FrozenData | null> {
  if (!(await exists(own.diskImage))) return null
  const frozen = pathsIn(join(own.home, 'frozen'))
  const release = async () => {
    await dropLoopDisk(frozen)
    await rm(frozen.folder, { recursive: true, force: true })
  }
  // Of a backup whose agent was killed.
  if (await exists(frozen.folder)) await release()
  try {
    await mkdir(frozen.folder, { mode: 0o700 })
    const probe = join(frozen.folder, 'probe')
    await writeFile(probe, 'a block')
    // Before the disk is written out, which takes long and only a clone needs.
    if (!(await shareBlocks(probe, `${probe}-clone`))) {
      await release()
      return null
    }
    await mkdir(frozen.data)
    await runProgram('sync', ['-f', '--', own.data], { signal, deadlineMs: 600_000 })
    if (!(await shareBlocks(own.diskImage, frozen.diskImage))) {
      await release()
      return null
    }
    await mountLoopDisk(frozen)
    return { folder: frozen.data, takenWhileRunning: false, release }
  } catch (error) {
    await release()
    throw error
  }
}
