import type { Ask } from '@lodge/shared/limits/check.ts'
import type { Ctx } from '../../context.ts'
import { announceDesired as tellFleet } from '../../fleet/store.ts'
import type { Usage } from '../limits/index.ts'
import { updateDesired } from './store.ts'
import type { ServerRow } from './tables.ts'

/** Tells the node and open panels that the desired state for a server has changed, when the transaction commits. */
export async function announceDesired(
  ctx: Ctx,
  row: Pick<ServerRow, 'id' | 'nodeId'>,
): Promise<void> {
  await tellFleet(ctx.db, row.nodeId, row.id)
  await ctx.live.announce(ctx.db, { kind: 'server', id: row.id })
}

/** Changes of these are a desired state of its own; any other change only refines the one there is. */
const DECIDES: readonly (keyof ServerRow)[] = [
  'desiredPower',
  'desiredRun',
  'desiredInstall',
  'desiredEnding',
]

/**
 * Changes what is desired, raises the generation and tells. The caller holds the server's row. A start
 * that is under way stays one when the server is renamed meanwhile: its job goes along.
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

/** What starting one more server of an owner asks for. */
export const oneMoreRunning = (usage: Usage): Ask[] => [
  { key: 'runningServers', used: usage.running, requested: 1 },
]
