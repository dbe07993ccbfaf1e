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
  await requireFree(
    paths.home,
    total + (runs ? Math.max(...sizes) : 0),
    (needed, free) =>
      new DriverError(
        'disk_full',
        `There is no room for the copy that is made first: ${needed} have to be free where the files of the machine lie, and ${free} are. Free some, for example of old snapshots.`,
      ),
  )
}

/** @param failure what to throw if these bytes and the reserve are not free there */
export async function requireFree(
  folder: string,
  bytes: number,
  failure: (needed: string, free: string) => DriverError,
): Promise<void> {
  const needed = bytes + RESERVE_BYTES
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free < needed) throw failure(formatBytes(needed), formatBytes(free))
}
