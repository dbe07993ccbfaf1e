import { PoolRoom } from '@lodge/shared/rbd-output.ts'
import { runProgram } from '../run-program.ts'
import type { RbdPool } from './rbd.ts'

/** A cluster that does not answer must not keep the agent. */
const ANSWERS_WITHIN_MS = 5_000

/**
 * What a pool holds and could still take, as Ceph counts it for the pool's own replication; null where it
 * does not say, as to a user without `profile rbd` or `allow r` for the monitors.
 */
export async function roomIn({
  pool,
  user,
  configFile,
}: RbdPool): Promise<{ readonly sizeBytes: number; readonly freeBytes: number } | null> {
  const args = ['--conf', configFile, '--id', user, 'df', '--format', 'json']
  const { code, output } = await runProgram('ceph', args, { deadlineMs: ANSWERS_WITHIN_MS })
  if (code !== 0) return null
  try {
    // Warnings of the library may come before it.
    const found = PoolRoom.parse(JSON.parse(output.slice(Math.max(0, output.search(/^{/m)))))
    const stats = found.pools.find(({ name }) => name === pool)?.stats
    if (!stats) return null
    return { sizeBytes: stats.stored + stats.max_avail, freeBytes: stats.max_avail }
  } catch {
    return null
  }
}
