import type { MoveServer } from '@lodge/shared/moves.ts'
import type { Ctx } from '../../context.ts'
import { notFound, Problem } from '../../problem.ts'
import { findNode } from '../nodes/index.ts'
import {
  bySaga,
  FORMER_COPY,
  hereNow,
  insertStorageCopy,
  operate,
  requireOnNode,
  type ServerView,
  storageChange,
  whyNotHere,
} from '../servers/index.ts'
import { findMove as findMachineMove, requireChangeable } from '../vms/index.ts'
import { requireFilesLeft } from './files-left.ts'
import { requireMovable } from './movable.ts'
import { CHANGING, storageSaga } from './storage-saga.ts'
import { findMove } from './store.ts'

/** Changes the storage of a server on its node. If anything fails, it stays where it is. */
export function changeStorage(
  ctx: Ctx,
  server: ServerView,
  given: Pick<MoveServer, 'storageId' | 'stop'>,
): Promise<{ jobId: string }> {
  return operate(ctx, server, async (ctx, { row, view }) => {
    if (row.kind === 'vm') requireChangeable(view, { stopping: given.stop })
    else {
      requireMovable(ctx, view)
      await requireFilesLeft(ctx, row.id)
    }
    const node = await findNode(ctx.db, row.nodeId)
    if (!node) throw notFound('node')
    await requireOnNode(ctx, row, 'relocation')
    const change = storageChange(ctx, row, given.storageId)
    if (!change)
      throw new Problem(
        'invalid_state',
        'The server lies on this storage already: choose another one',
      )
    const former =
      row.kind === 'vm' ? await findMachineMove(ctx.db, row.id) : await findMove(ctx.db, row.id)
    if (former) throw new Problem('conflict', FORMER_COPY[row.kind])
    const why = whyNotHere(await hereNow(ctx, server, row, node), change)
    if (why) throw new Problem(why.code, why.detail)
    const { kind, id: serverId, nodeId, placementGeneration: placement } = row
    await insertStorageCopy(ctx.db, {
      ...{ serverId, nodeId, kind, storageId: change.to },
      placementGeneration: placement,
    })
    // A server that crashed and was given up is not started afterwards.
    const isGivenUp = row.observedState === 'crashed' && row.restartAt === null
    return {
      title: `Change the storage of ${row.name}`,
      hold: CHANGING,
      desired: { desiredEnding: 'graceful', ...(isGivenUp && { desiredPower: 'off' }) },
      work: bySaga(storageSaga, {
        ...{ serverId, nodeId, kind, placement, ...change },
        wasOn: row.desiredPower === 'on' && !isGivenUp,
      }),
    }
  })
}
