import { statfs } from 'node:fs/promises'
import type { PreflightCheck } from '@lodge/shared/nodes.ts'
import { formatBytes } from '@lodge/shared/units.ts'

const LEAST_SHARE = 0.05
const LOW_SHARE = 0.15

/** False when the disk is so full that nothing new may be created on it. */
export async function hasRoom(folder: string): Promise<boolean> {
  const room = await statfs(folder)
  return room.blocks === 0 || room.bavail / room.blocks >= LEAST_SHARE
}

/** Checks whether there is room for the servers' data. */
export async function checkDisk(folder: string): Promise<PreflightCheck> {
  const room = await statfs(folder).catch(() => undefined)
  if (!room) {
    return {
      id: 'disk',
      state: 'failed',
      summary: `The data folder ${folder} cannot be read`,
      remedy: 'Make the folder, or name another one with --data',
    }
  }
  const free = room.bavail * room.bsize
  const share = room.blocks > 0 ? room.bavail / room.blocks : 1
  const summary = `${formatBytes(free)} of ${formatBytes(room.blocks * room.bsize)} are free in ${folder}`
  if (share < LEAST_SHARE) {
    return {
      id: 'disk',
      state: 'failed',
      summary,
      remedy: 'Free some space: nothing new can be made here',
    }
  }
  if (share < LOW_SHARE) {
    return { id: 'disk', state: 'warning', summary, remedy: 'Free some space or add a disk soon' }
  }
  return { id: 'disk', state: 'ok', summary, remedy: null }
}
