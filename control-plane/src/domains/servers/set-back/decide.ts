import type { DecideFinding } from '@lodge/shared/set-back.ts'
import type { Ctx } from '../../../context.ts'
import { announceDesired } from '../../../fleet/store.ts'
import { notFound, Problem } from '../../../problem.ts'
import { EPOCH_LEAP } from '../../nodes/index.ts'
import { KEEPS_OFF } from '../desired-state/desired.ts'
import { changeDesired } from '../desired-state/desired-state.ts'
import { deleteHold, holdsOf } from '../hold-store.ts'
import { lockServer } from '../store.ts'
import type { ServerRow } from '../tables.ts'
import { deleteFinding, lockFinding, raiseGeneration, setBackHold } from './findings-store.ts'
import type { FindingRow } from './tables.ts'

/** States in which a server is running, or starts by itself. */
const UP = ['running', 'starting', 'crashed']

/**
 * Resolves a finding: from then on the database counts again, under a generation that the node
 * follows. With the last finding of a node, its list of servers is complete again.
 * @throws {Problem} not_found, conflict, hold_active
 */
export async function decideFinding(
  ctx: Ctx,
  { nodeId, serverId, keep }: DecideFinding,
): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const row = await lockServer(ctx.db, serverId)
    const finding = await lockFinding(ctx.db, nodeId, serverId)
    if (!finding) throw notFound('server')
    if (finding.kind === 'unknown' && keep === 'node')
      throw new Problem(
        'conflict',
        'The panel has no record of it on this node that could be kept: restore a newer backup of the panel, or let the node stop it. Its files stay there',
      )
    await deleteFinding(ctx.db, nodeId, serverId)
    const hold = setBackHold(nodeId)
    if (row) await deleteHold(ctx.db, serverId, hold.kind, hold.cause)
    if (row && row.nodeId === nodeId && finding.kind !== 'unknown') {
      if (keep === 'node') await requireNotOff(ctx, finding)
      await raiseGeneration(ctx.db, serverId, finding.generation)
      await changeDesired(ctx, row, changeFor(finding, row, keep))
    } else if (row) await changeDesired(ctx, row, {})
    await announceDesired(ctx.db, nodeId)
  })
}

/** Skips generations that the node has seen: it would ignore them. */
function changeFor(
  finding: FindingRow,
  row: ServerRow,
  keep: DecideFinding['keep'],
): Partial<ServerRow> {
  const counted = {
    desiredRun: Math.max(row.desiredRun, finding.run),
    desiredInstall: Math.max(row.desiredInstall, finding.installed),
  }
  if (keep === 'panel')
    // It may have been moved since, under a placement that is lost.
    return { ...counted, placementGeneration: row.placementGeneration + EPOCH_LEAP }
  if (finding.kind === 'missing')
    // Nothing is there and nothing should be: a person has to reinstall it.
    return { desiredPower: 'off', desiredEnding: 'graceful', desiredInstall: 0 }
  return {
    ...counted,
    desiredPower: UP.includes(finding.state) ? 'on' : 'off',
    desiredEnding: 'graceful',
    placementGeneration: row.placementGeneration + EPOCH_LEAP,
  }
}

/** Refuses a state that would stop a running server because of the panel's holds. */
async function requireNotOff(ctx: Ctx, { serverId, state }: FindingRow): Promise<void> {
  if (!UP.includes(state)) return
  const holds = (await holdsOf(ctx.db, [serverId])).get(serverId) ?? []
  if (!holds.some((kind) => KEEPS_OFF.includes(kind))) return
  throw new Problem(
    'hold_active',
    'It runs on the node, and the panel holds it: end its suspension, deletion or job first, or apply what the panel knows',
  )
}
