import type { Ctx } from '../../../context.ts'
import { reserveForCopies } from '../../servers/index.ts'
import { deleteSnapshot, listSnapshots } from '../store.ts'

/**
 * Deletes the snapshot rows of a machine that is going to be elsewhere without them: they are on the
 * lost node. In the transaction that changes its placement, before that change.
 * @param after only those that were made after this
 */
export async function loseSnapshots(
  ctx: Ctx,
  machine: { readonly serverId: string; readonly nodeId: string },
  after?: Date,
): Promise<void> {
  const all = await listSnapshots(ctx.db, machine.serverId)
  const snapshots = all.filter(({ createdAt }) => !after || createdAt > after)
  for (const { id } of snapshots) await deleteSnapshot(ctx.db, id)
  const reservedMb = snapshots.reduce((sum, one) => sum + one.reservedMb, 0)
  await reserveForCopies(ctx, machine, -reservedMb)
}
