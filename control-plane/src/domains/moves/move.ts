import { randomUUID } from 'node:crypto'
import { movingAsks } from '@lodge/shared/limits/asks.ts'
import type { MoveServer } from '@lodge/shared/moves.ts'
import type { Ctx } from '../../context.ts'
import { invalid } from '../../http/input.ts'
import { Permanent } from '../../jobs/sagas/saga.ts'
import { Problem } from '../../problem.ts'
import { keptHereOnly, repositoryForMove } from '../backups/index.ts'
import { requireQuota } from '../limits/index.ts'
import { closedNodes, findNode } from '../nodes/index.ts'
import { bySaga, operate, type ServerView, storageChange } from '../servers/index.ts'
import { moveMachine } from '../vms/index.ts'
import { changeStorage } from './change-storage.ts'
import { requireMovable } from './movable.ts'
import { COPYING, moveSaga } from './move-saga.ts'
import { reservePlace, type TwoPlaces } from './places.ts'
import { findMove } from './store.ts'
import { leftByMoves, whyNotTo } from './targets.ts'

/** Moves a server to another node, or to another storage of its own. If anything fails, it stays where it is. */
export async function moveServer(
  ctx: Ctx,
  server: ServerView,
  given: MoveServer,
): Promise<{ jobId: string }> {
  if (given.nodeId === server.nodeId && given.storageId !== undefined)
    return changeStorage(ctx, server, given)
  if (server.kind === 'vm') return moveMachine(ctx, server, given)
  if (given.networkId !== undefined)
    throw invalid([{ pointer: '/networkId', detail: 'is only for virtual machines' }])
  return operate(ctx, server, async (ctx, { owner, row, view }) => {
    requireMovable(ctx, view)
    const node = await findNode(ctx.db, given.nodeId)
    const source = await findNode(ctx.db, row.nodeId)
    if (!node || !source) throw invalid([{ pointer: '/nodeId', detail: 'is not a node' }])
    const change = storageChange(ctx, row, given.storageId)
    const why = whyNotTo(node, {
      ...{ change, usedBytes: server.usageDisk },
      row,
      source,
      move: await findMove(ctx.db, row.id),
      left: await leftByMoves(ctx, row),
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
    const shared = row.storageId !== null && change === undefined
    return {
      title: `Move ${row.name} to ${node.name}`,
      hold: COPYING,
      work: bySaga(moveSaga, {
        serverId: row.id,
        sourceId: row.nodeId,
        targetId: node.id,
        placement: row.placementGeneration,
        ...{ shared, storages: change },
        repositoryId: shared ? NO_REPOSITORY : await repositoryForMove(ctx, row, node.id),
        copyIds: [randomUUID(), randomUUID()],
        restoreId: randomUUID(),
      }),
    }
  })
}

/** Reserved from now on, so that of two moves into the last capacity one is refused. */
async function reserve(ctx: Ctx, places: TwoPlaces): Promise<void> {
  try {
    await reservePlace(ctx, places)
  } catch (error) {
    if (error instanceof Permanent) throw new Problem('no_capacity', error.message)
    throw error
  }
}

/** Placeholder for a move that copies nothing. */
const NO_REPOSITORY = '00000000-0000-0000-0000-000000000000'
