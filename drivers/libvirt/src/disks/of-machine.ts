import { type MachinePaths, machinePaths } from '../data/layout.ts'
import type { Disks } from './disks.ts'
import { fileDisks } from './file-disks.ts'
import { imageDisks } from './image-disks.ts'

export const disksOf = (paths: MachinePaths): Disks =>
  paths.pool ? imageDisks(paths, paths.pool) : fileDisks

/** Deletes what a change has left of the disks of a machine; see `Disks.sweep`. */
export const sweepDisks = (dataRoot: string, serverId: string): Promise<void> =>
  disksOf(machinePaths(dataRoot, serverId)).sweep()
