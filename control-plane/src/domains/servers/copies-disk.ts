import type { Ctx } from '../../context.ts'
import { resizeReservation } from '../nodes/index.ts'
import { findServer, updateServer } from './store.ts'

/**
 * Takes disk space on a node for copies of a server, or gives it back. It goes with the server when
 * that is removed. The caller holds the server's row.
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
