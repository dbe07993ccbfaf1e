import type { SuspensionCause } from '@lodge/shared/servers.ts'
import type { Ctx } from '../../../context.ts'
import { changeDesired } from '../desired-state/desired-state.ts'
import { deleteHold, holdsOf, insertHold } from '../hold-store.ts'
import { newsOf } from '../news/news.ts'
import { lockServer, serverIdsOf } from '../store.ts'

/** Schedules the deletion of every server of an owner; `cancelDeletionsOf` can undo it until then. */
export async function scheduleDeletionsOf(
  ctx: Ctx,
  ownerId: string,
  cause: SuspensionCause,
  deleteAt: Date,
): Promise<number> {
  let scheduled = 0
  for (const id of await serverIdsOf(ctx.db, ownerId)) {
    const row = await lockServer(ctx.db, id)
    if (!row) continue
    await insertHold(ctx.db, id, 'deletion', cause)
    // It keeps its own time, but nobody keeps it before this cause is gone as well.
    if (row.deleteAt) continue
    await ctx.jobs.desiredState.supersedeDeferred(ctx.db, id)
    await changeDesired(ctx, row, { desiredEnding: 'graceful', deleteAt })
    const news = await newsOf(ctx.db, row)
    await ctx.emit('server.deletion_scheduled', { ...news, deleteAt, announced: true })
    scheduled += 1
  }
  return scheduled
}

/** Undoes the deletions that this cause scheduled; a server that is deleted for another as well keeps its time. */
export async function cancelDeletionsOf(
  ctx: Ctx,
  ownerId: string,
  cause: SuspensionCause,
): Promise<void> {
  for (const id of await serverIdsOf(ctx.db, ownerId)) {
    const row = await lockServer(ctx.db, id)
    if (!row || !(await deleteHold(ctx.db, id, 'deletion', cause))) continue
    const left = (await holdsOf(ctx.db, [id])).get(id)?.includes('deletion')
    await changeDesired(ctx, row, left ? {} : { deleteAt: null })
  }
}
