import { statfs } from 'node:fs/promises'
import { DriverError } from '@lodge/driver/driver.ts'
import { formatBytes } from '@lodge/shared/units.ts'
import type { MachinePaths } from '../data/layout.ts'
import { disksOf } from '../disks/of-machine.ts'
import { bytesOnDisk } from './file-bytes.ts'
import type { PartFile } from './parts-of.ts'

/** Space that a copy always leaves free on the node's disk. */
export const RESERVE_BYTES = 256 * 1024 * 1024

/**
 * Throws `disk_full` unless copies of these files fit beside the machine.
 * @param runs of a running machine, each disk is copied twice, one after the other
 */
export async function requireRoom(
  paths: MachinePaths,
  files: readonly PartFile[],
  runs: boolean,
): Promise<void> {
  const disks = disksOf(paths)
  const sizes = await Promise.all(
    files.map(({ part, path }) => (part === 'disk' ? disks.usedBytes : bytesOnDisk)([path])),
  )
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const needed = total + (runs ? Math.max(...sizes) : 0) + RESERVE_BYTES
  const { bavail, bsize } = await statfs(paths.home)
  if (bavail * bsize >= needed) return
  throw new DriverError(
    'disk_full',
    `There is no room for the copy that is made first: ${formatBytes(needed)} have to be free where the files of the machine lie, and ${formatBytes(bavail * bsize)} are. Free some, for example of old snapshots.`,
  )
}
