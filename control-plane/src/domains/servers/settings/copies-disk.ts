import type { Ctx } from '../../../context.ts'
import { resizeReservation } from '../../nodes/index.ts'
import { findServer, updateServer } from '../store.ts'

/**
 * Reserves or releases disk space on a node for a server's copies. It is released with the server.
 * The caller has locked the server's row.
 */
export async function reserveForCopies(
  ctx: Ctx,
  { serverId, nodeId }: { readonly serverId: string; readonly nodeId: string },
  byMb: number,
): Promise<void> {
  const row = byMb === 0 ? undefined : await findServer(ctx.db, serverId)
  if (!row) return
  await resizeReservation(ctx.db, nodeId, { memoryMb: 0, cpuPercent: 0, diskMb: byMb })
  await updateServer(ctx.db, serverId, { copiesDiskMb: row.copiesDiskMb + byMb })
}
