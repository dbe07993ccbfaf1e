import { type DesiredServer, Ending, Power as WirePower } from '@lodge/proto/server.ts'
import type { Ask } from '@lodge/shared/limits/check.ts'
import type { HoldKind } from '@lodge/shared/servers.ts'
import type { Ctx } from '../../context.ts'
import { announceWish as tellFleet } from '../../fleet/store.ts'
import type { Usage } from '../limits/index.ts'
import { updateWish } from './store.ts'
import type { ServerRow } from './tables.ts'

/** Holds under which a server stays off whatever its owner wishes. */
const KEEPS_OFF: readonly HoldKind[] = [
  'suspension',
  'deleting',
  'migrating',
  'restoring',
  'failover',
]

/** Tells the node and open panels that the wish for a server has changed, when the transaction commits. */
export async function announceWish(ctx: Ctx, row: Pick<ServerRow, 'id' | 'nodeId'>): Promise<void> {
  await tellFleet(ctx.db, row.nodeId, row.id)
  await ctx.live.announce(ctx.db, { kind: 'server', id: row.id })
}

/** Changes of these are a wish of its own; any other change only refines the one there is. */
const DECIDES: readonly (keyof ServerRow)[] = ['wishPower', 'wishRun', 'wishInstall', 'wishEnding']

/**
 * Changes what is wished, raises the generation and tells. The caller holds the server's row. A start
 * that is under way stays one when the server is renamed meanwhile: its job goes along.
 */
export async function changeWish(
  ctx: Ctx,
  row: ServerRow,
  change: Partial<ServerRow>,
): Promise<ServerRow> {
  const changed = await updateWish(ctx.db, row.id, change)
  if (!changed) throw new Error(`server ${row.id} vanished while its row was held`)
  const fields = Object.keys(change)
  if (fields.length > 0 && !DECIDES.some((field) => fields.includes(field)))
    await ctx.jobs.follow(ctx.db, row.id, row.generation, changed.generation)
  await announceWish(ctx, changed)
  return changed
}

/** The wish as the agent is told it: holds are folded in, reasons stay here. */
export function desiredServer(row: ServerRow, holds: readonly HoldKind[]): DesiredServer {
  const off = row.wishPower === 'off' || holds.some((kind) => KEEPS_OFF.includes(kind))
  return {
    serverId: row.id,
    generation: row.generation,
    power: off ? WirePower.OFF : WirePower.ON,
    run: row.wishRun,
    install: row.wishInstall,
    ending: row.wishEnding === 'kill' ? Ending.KILL : Ending.GRACEFUL,
    removed: holds.includes('deleting'),
    crashPolicy: row.crashPolicy,
    containerSpec: JSON.stringify(row.wishSpec),
    placementGeneration: 1,
  }
}

/** What starting one more server of an owner asks for. */
export const oneMoreRunning = (usage: Usage): Ask[] => [
  { key: 'runningServers', used: usage.running, requested: 1 },
]
