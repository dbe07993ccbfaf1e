import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { machinePaths } from '../data/layout.ts'
import type { Parts } from '../parts.ts'
import { disksOf } from './of-machine.ts'

/** The cluster reads the map of each image for it. */
const FRESH_MS = 60_000

/**
 * What the images of a machine take, as last asked: a sample waits for no pool. Null for a machine whose
 * disks are files, and before the first answer.
 */
export function imageUsage({ places, settings }: Parts): (serverId: string) => number | null {
  const known = new Map<string, { readonly askedAt: number; readonly bytes: number | null }>()

  async function ask(serverId: string): Promise<number> {
    await places.require(serverId)
    const paths = machinePaths(settings.dataRoot, serverId)
    const names = await readdir(paths.disks)
    const disks = disksOf(paths)
    const own = names.filter((name) => name.endsWith(disks.ending))
    return await disks.usedBytes(own.map((name) => join(paths.disks, name)))
  }

  // One after the other: all machines are sampled at the same moment, and each question is a process.
  let last: Promise<unknown> = Promise.resolve()

  return (serverId) => {
    if (machinePaths(settings.dataRoot, serverId).pool === null) {
      known.delete(serverId)
      return null
    }
    const { askedAt, bytes } = known.get(serverId) ?? { askedAt: 0, bytes: null }
    if (Date.now() - askedAt < FRESH_MS) return bytes
    // Not asked again before it has been answered.
    known.set(serverId, { askedAt: Number.POSITIVE_INFINITY, bytes })
    last = last
      .then(() => ask(serverId))
      // Asked again a minute later.
      .catch(() => bytes)
      .then((answer) => known.set(serverId, { askedAt: Date.now(), bytes: answer }))
    return bytes
  }
}
