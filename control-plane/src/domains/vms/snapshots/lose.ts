import type { Ctx } from '../../../context.ts'
import { reserveForCopies } from '../../servers/index.ts'
import { deleteSnapshot, listSnapshots } from '../store.ts'

/**
 * Deletes the snapshot rows of a machine that is going to be elsewhere without them: they are on the
 * lost node. In the transaction that changes its placement, before that change.
 */
export async function loseSnapshots(
  ctx: Ctx,
  machine: { readonly serverId: string; readonly nodeId: string },
): Promise<void> {
  const snapshots = await listSnapshots(ctx.db, machine.serverId)
  for (const { id } of snapshots) await deleteSnapshot(ctx.db, id)
  const reservedMb = snapshots.reduce((sum, one) => sum + one.reservedMb, 0)
  await reserveForCopies(ctx, machine, -reservedMb)
}
