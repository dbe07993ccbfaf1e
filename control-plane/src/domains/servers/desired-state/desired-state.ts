import type { Ask } from '@lodge/shared/limits/check.ts'
import type { Ctx } from '../../../context.ts'
import { announceDesired as tellFleet } from '../../../fleet/store.ts'
import type { Usage } from '../../limits/index.ts'
import { updateDesired } from '../store.ts'
import type { ServerRow } from '../tables.ts'

/** Notifies the node and open panels on commit that the server's desired state has changed. */
export async function announceDesired(
  ctx: Ctx,
  row: Pick<ServerRow, 'id' | 'nodeId'>,
): Promise<void> {
  await tellFleet(ctx.db, row.nodeId, row.id)
  await ctx.live.announce(ctx.db, { kind: 'server', id: row.id })
}

/** Changes of these replace the desired state; any other change only refines it. */
const DECIDES: readonly (keyof ServerRow)[] = [
  'desiredPower',
  'desiredRun',
  'desiredInstall',
  'desiredEnding',
]

/**
 * Changes the desired state, raises its generation and announces it. The caller has locked the
 * server's row. Jobs of a refined state follow to the new generation, so renaming a starting server
 * does not supersede its start.
 */
export async function changeDesired(
  ctx: Ctx,
  row: ServerRow,
  change: Partial<ServerRow>,
): Promise<ServerRow> {
  const changed = await updateDesired(ctx.db, row.id, change)
  if (!changed) throw new Error(`server ${row.id} vanished while its row was held`)
  const fields = Object.keys(change)
  if (fields.length > 0 && !DECIDES.some((field) => fields.includes(field)))
    await ctx.jobs.desiredState.follow(ctx.db, row.id, row.generation, changed.generation)
  await announceDesired(ctx, changed)
  return changed
}

/** What starting one more of an owner's servers takes. */
export const oneMoreRunning = (usage: Usage): Ask[] => [
  { key: 'runningServers', used: usage.running, requested: 1 },
]
