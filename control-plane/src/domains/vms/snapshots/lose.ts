import type { Ctx } from '../../../context.ts'
import { findServer, reserveForCopies } from '../../servers/index.ts'
import { deleteSnapshot, listSnapshots, updateSnapshot } from '../store.ts'
import type { SnapshotRow } from '../tables.ts'

interface Machine {
  readonly serverId: string
  readonly nodeId: string
}

/**
 * Deletes the snapshot rows of a machine that is going to be elsewhere without them: they are on the
 * lost node. In the transaction that changes its placement, before that change.
 */
export async function loseSnapshots(ctx: Ctx, machine: Machine): Promise<void> {
  await lose(ctx, machine, await listSnapshots(ctx.db, machine.serverId))
}

/**
 * A machine takes the other copy of its files, which has nothing newer than `at`: the snapshots of that
 * copy are there again, and those that were made since stay with what it leaves.
 */
export async function swapSnapshots(ctx: Ctx, serverId: string, at: Date): Promise<void> {
  for (const { id, state, createdAt } of await listSnapshots(ctx.db, serverId)) {
    if (state === 'away') await updateSnapshot(ctx.db, id, { state: 'ready' })
    else if (state === 'ready' && createdAt > at)
      await updateSnapshot(ctx.db, id, { state: 'away' })
  }
}

/**
 * Deletes the rows of snapshots that went with the other copy of a machine's files. The caller has locked
 * the server.
 */
export async function loseAwaySnapshots(ctx: Ctx, serverId: string): Promise<void> {
  const row = await findServer(ctx.db, serverId)
  if (!row) return
  const all = await listSnapshots(ctx.db, serverId)
  const away = all.filter(({ state }) => state === 'away')
  if (away.length > 0) await lose(ctx, { serverId, nodeId: row.nodeId }, away)
}

async function lose(ctx: Ctx, machine: Machine, snapshots: readonly SnapshotRow[]): Promise<void> {
  for (const { id } of snapshots) await deleteSnapshot(ctx.db, id)
  const reservedMb = snapshots.reduce((sum, one) => sum + one.reservedMb, 0)
  await reserveForCopies(ctx, machine, -reservedMb)
}
