import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { MachineSpec } from '@lodge/shared/machine-spec.ts'
import type { MachinePaths } from '../data/layout.ts'

/** How QEMU writes to disks; of each, the kernel has nothing to write once QEMU has ended. */
export type DiskCache = 'none' | 'writethrough' | 'writeback'

/**
 * Disks bypass the page cache, for which not every file system of FUSE has a way: there each write waits
 * until it is on the storage. Were writes left in the cache, the kernel of a node that was cut off
 * would write them late, while the machine runs on another node. Reads are cached then, which is safe:
 * only one node opens a disk at a time, and opening it drops what is out of date.
 */
export async function diskCacheFor(
  paths: MachinePaths,
  { disks }: MachineSpec,
): Promise<DiskCache> {
  const [system] = disks
  // Of an image in a pool, QEMU itself keeps what its guest has not flushed, and the kernel nothing.
  if (paths.pool) return 'writeback'
  if (paths.storage === null || !system) return 'none'
  return (await opensDirectly(paths.disk(system.id))) ? 'none' : 'writethrough'
}

async function opensDirectly(path: string): Promise<boolean> {
  const file = await open(path, constants.O_RDWR | constants.O_DIRECT).catch(() => null)
  await file?.close()
  return file !== null
}
