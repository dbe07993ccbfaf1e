import { randomUUID } from 'node:crypto'
import { movingAsks } from '@lodge/shared/limits/asks.ts'
import type { MoveServer } from '@lodge/shared/moves.ts'
import { isAdmin } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { invalid } from '../../http/input.ts'
import { Permanent } from '../../jobs/sagas/saga.ts'
import { Problem } from '../../problem.ts'
import { keptHereOnly, repositoryForMove } from '../backups/index.ts'
import { requireQuota } from '../limits/index.ts'
import { closedNodes, findNode } from '../nodes/index.ts'
import { bySaga, operate, type ServerView, statusOf } from '../servers/index.ts'
import { moveMachine } from '../vms/index.ts'
import { COPYING, moveSaga } from './move-saga.ts'
import { reservePlace, type TwoPlaces } from './places.ts'
import { findMove } from './store.ts'
import { whyNotTo } from './targets.ts'

/** Moves a server to another node. If anything fails, it stays where it is. */
export async function moveServer(
  ctx: Ctx,
  server: ServerView,
  given: MoveServer,
): Promise<{ jobId: string }> {
  if (server.kind === 'vm') return moveMachine(ctx, server, given)
  if (given.networkId !== undefined)
    throw invalid([{ pointer: '/networkId', detail: 'is only for virtual machines' }])
  return operate(ctx, server, async (ctx, { owner, row, view }) => {
    requireMovable(ctx, view)
    const node = await findNode(ctx.db, given.nodeId)
    const source = await findNode(ctx.db, row.nodeId)
    if (!node || !source) throw invalid([{ pointer: '/nodeId', detail: 'is not a node' }])
    const why = whyNotTo(node, {
      row,
      source,
      move: await findMove(ctx.db, row.id),
      closed: await closedNodes(ctx.db, 'container', [node.id]),
      // Limits are checked below, where `force` is considered.
      outside: () => null,
    })
    if (why)
      throw new Problem(
        why.code,
        why.detail,
        why.code === 'node_unavailable' ? { retryAfterSeconds: 15 } : {},
      )
    await requireQuota(ctx, owner, () => movingAsks(view.location, node.location), {
      force: given.force,
      of: row,
    })
    const left = await keptHereOnly(ctx.db, row.id)
    if (left > 0 && given.confirmBackupsLeft !== true)
      throw new Problem(
        'confirmation_required',
        `${source.name} alone keeps ${left} ${left === 1 ? 'backup' : 'backups'} of it, which cannot be restored on another node: send confirmBackupsLeft as true to move it nevertheless`,
      )
    await reserve(ctx, { serverId: row.id, sourceId: row.nodeId, targetId: node.id })
    return {
      title: `Move ${row.name} to ${node.name}`,
      hold: COPYING,
      work: bySaga(moveSaga, {
        serverId: row.id,
        sourceId: row.nodeId,
        targetId: node.id,
        placement: row.placementGeneration,
        repositoryId: await repositoryForMove(ctx, row, node.id),
        copyIds: [randomUUID(), randomUUID()],
        restoreId: randomUUID(),
      }),
    }
  })
}

/** From now on, so that of two moves into the last room one is refused. */
async function reserve(ctx: Ctx, places: TwoPlaces): Promise<void> {
  try {
    await reservePlace(ctx, places)
  } catch (error) {
    if (error instanceof Permanent) throw new Problem('no_capacity', error.message)
    throw error
  }
}

const HELD: Readonly<Record<string, string>> = {
  suspension: 'The server is suspended: lift that first, or ask the host to move it',
  deletion: 'The server is to be deleted: undo that first',
  installing: 'The server is being installed: wait until it is ready',
  'backing-up': 'A copy of its files is being made: wait for it',
  restoring: 'The server is being restored: wait for it',
  migrating: 'The server is moving to another node: wait for it',
  deleting: 'The server is being deleted',
  failover: 'The server is being brought back on another node: wait for it',
}

/** Why a container server cannot move now, whatever the target; null if it can. */
export function whyNotMovable(ctx: Ctx, view: ServerView): string | null {
  // The host moves what a suspended customer has.
  const host = ctx.actor.kind === 'system' || isAdmin(ctx.actor)
  const hold = view.holds.find(({ kind }) => kind !== 'suspension' || !host)
  if (hold) return HELD[hold.kind] ?? 'The server is held: wait for that to end'
  if (!view.nodeOnline) return `${view.nodeName} is not connected: wait until it is back`
  const status = statusOf(view)
  if (status === 'installing') return HELD.installing ?? null
  if (status === 'install_failed' || view.observedState === 'absent')
    return 'The server is not installed: install it first'
  return null
}

function requireMovable(ctx: Ctx, view: ServerView): void {
  const why = whyNotMovable(ctx, view)
  if (why === null) return
  if (view.holds.length > 0)
    throw new Problem('hold_active', why, { fields: { holds: view.holds } })
  if (!view.nodeOnline) throw new Problem('node_unavailable', why, { retryAfterSeconds: 15 })
  throw new Problem('invalid_state', why, { fields: { serverStatus: statusOf(view) } })
}
