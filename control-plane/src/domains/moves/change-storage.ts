import type { MoveServer, TakeCopy } from '@lodge/shared/moves.ts'
import type { Ctx } from '../../context.ts'
import { notFound, Problem } from '../../problem.ts'
import { findNode, type NodeRow } from '../nodes/index.ts'
import {
  bySaga,
  findMachine,
  hereNow,
  insertStorageCopy,
  lockStorageCopy,
  operate,
  requireOnNode,
  type ServerRow,
  type ServerView,
  type StorageChange,
  storageChange,
  updateStorageCopy,
  whyFormerCopy,
  whyNoCopy,
  whyNotHere,
} from '../servers/index.ts'
import { findMove as findMachineMove, requireChangeable } from '../vms/index.ts'
import { requireFilesLeft } from './files-left.ts'
import { requireMovable } from './movable.ts'
import { CHANGING, type Change, storageSaga } from './storage-saga.ts'
import { findMove } from './store.ts'

type Taking = TakeCopy & { readonly takeCopy: true }

/** Changes the storage of a server on its node. If anything fails, it stays where it is. */
export function changeStorage(
  ctx: Ctx,
  server: ServerView,
  given: Pick<MoveServer, 'storageId' | 'stop'> & ({ takeCopy?: never } | Taking),
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
    const machine = row.kind === 'vm' ? await findMachineMove(ctx.db, row.id) : undefined
    if (machine || (row.kind !== 'vm' && (await findMove(ctx.db, row.id))))
      throw new Problem('conflict', whyFormerCopy(machine?.provenAt !== null))
    const taken = given.takeCopy
      ? await copyTaken(ctx, server, { row, node, change }, given.confirm)
      : await newCopy(ctx, server, { row, node, change })
    const { kind, id: serverId, nodeId, placementGeneration: placement } = row
    // A server that crashed and was given up is not started afterwards.
    const isGivenUp = row.observedState === 'crashed' && row.restartAt === null
    return {
      title: `Change the storage of ${row.name}`,
      hold: CHANGING,
      desired: { desiredEnding: 'graceful', ...(isGivenUp && { desiredPower: 'off' }) },
      work: bySaga(storageSaga, {
        ...{ serverId, nodeId, kind, placement, ...change, ...taken },
        wasOn: row.desiredPower === 'on' && !isGivenUp,
      }),
    }
  })
}

/** Longer than the statement of a claim takes. */
const LATER_MS = 60_000

interface Changing {
  readonly row: ServerRow
  readonly node: NodeRow
  readonly change: StorageChange
}

/** Notes the copy that is about to be made. */
async function newCopy(
  ctx: Ctx,
  server: ServerView,
  { row, node, change }: Changing,
): Promise<void> {
  const { kind, id: serverId, nodeId, placementGeneration } = row
  const why = whyNotHere(await hereNow(ctx, server, row, node), change)
  if (why) throw new Problem(why.code, why.detail)
  const disks = (await findMachine(ctx.db, serverId))?.disks.map(({ id }) => id) ?? null
  const copy = { serverId, nodeId, kind, placementGeneration, disks }
  await insertStorageCopy(ctx.db, { ...copy, storageId: change.to })
}

/** The copy that its node has there becomes the server, whether that lies on a storage which is away or not. */
async function copyTaken(
  ctx: Ctx,
  server: ServerView,
  { row, node, change }: Changing,
  confirmed = false,
): Promise<Pick<Change, 'takesCopyOf' | 'isNewer'> | undefined> {
  // From now on no process begins to delete it.
  const copy = await lockStorageCopy(ctx.db, { serverId: row.id, nodeId: row.nodeId })
  const why = whyNoCopy(await hereNow(ctx, server, row, node), change)
  if (why) throw new Problem(why.code, why.detail)
  if (copy?.isBeingDeleted)
    throw new Problem(
      'part_left_behind',
      `${node.name} is deleting the copy on that storage: wait a moment`,
    )
  if (!copy) return undefined
  const machine = await findMachine(ctx.db, row.id)
  const added = machine?.disks.find(({ id }) => copy.disks && !copy.disks.includes(id))
  if (added)
    throw new Problem(
      'conflict',
      `The copy lacks the disk ${added.id}, which was added since: wait until its storage is back, or restore a backup`,
    )
  if (!confirmed)
    throw new Problem(
      'confirmation_required',
      'What was written since is missing in the copy, and is deleted after 7 days: send confirm as true to take it',
    )
  // A claim that began before the job exists looks at the changed row again.
  await updateStorageCopy(ctx.db, copy, { tryAt: new Date(ctx.now.getTime() + LATER_MS) })
  return { takesCopyOf: copy.createdAt.toISOString(), isNewer: copy.keptUntil !== null }
}
