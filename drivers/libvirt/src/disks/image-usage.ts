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

  return (serverId) => {
    if (machinePaths(settings.dataRoot, serverId).pool === null) return null
    const before = known.get(serverId)
    const askedAt = Date.now()
    if (before !== undefined && askedAt - before.askedAt < FRESH_MS) return before.bytes
    known.set(serverId, { askedAt, bytes: before?.bytes ?? null })
    ask(serverId).then(
      (bytes) => known.set(serverId, { askedAt, bytes }),
      // Asked again a minute later.
      () => {},
    )
    return before?.bytes ?? null
  }
}
