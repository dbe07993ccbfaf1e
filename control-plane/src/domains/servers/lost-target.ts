import type { Ctx } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { findJob } from '../../jobs/board/store.ts'
import type { BrokenOff } from '../../jobs/board/tables.ts'
import { Permanent, type StepTools } from '../../jobs/sagas/saga.ts'
import { findSaga } from '../../jobs/sagas/saga-store.ts'
import { findNode, isLost, isOnline } from '../nodes/index.ts'
import { holdsOf } from './hold-store.ts'
import { newsOf } from './news/news.ts'
import { beginHold } from './operation.ts'
import { type LeftPart, notePart } from './parts-left.ts'
import { findServer, lockServer } from './store.ts'

/**
 * A server that is moving to another node, which only reserves capacity until the placement changes.
 */
interface OnItsWay {
  readonly serverId: string
  readonly targetId: string
}

/** Failure of a job whose target was declared dead, taken over, or away for too long. */
export const TARGET_LOST = 'target_lost'
/** Failure of a job whose target did not answer at that moment. */
const TARGET_SILENT = 'target_silent'

/** The failure of a move whose target was lost, or does not answer now. */
async function becauseAway(
  db: Db,
  { serverId, targetId }: OnItsWay,
  code: typeof TARGET_LOST | typeof TARGET_SILENT,
): Promise<BrokenOff> {
  const isSilent = code === TARGET_SILENT
  const name = (await findNode(db, targetId))?.name ?? 'The other node'
  const row = await findServer(db, serverId)
  const node = row && (await findNode(db, row.nodeId))
  const stays =
    node && isOnline(node)
      ? `so it stays on ${node.name} and can be used again. ${isSilent ? `Move it again once ${name} is connected` : 'Move it to a node that is connected'}`
      : 'and its own node is not connected either. Bring it back on another node'
  return {
    code,
    detail: isSilent
      ? `${name} stopped answering before it had all of the server, ${stays}. ${name} deletes its part when it is back`
      : `${name} was lost before it had all of the server, ${stays}. ${name} deletes its part when it is back`,
  }
}

/**
 * Gives up the move of a server whose target is lost, unless its placement has changed: from then on
 * it is the target's, and no other copy of it may run. The move takes the same lock for that change.
 * @returns whether there is still something to give up
 */
export function giveUpMove(
  ctx: Ctx,
  { serverId, targetId, jobId }: OnItsWay & { readonly jobId: string },
): Promise<boolean> {
  return ctx.transaction(async (ctx) => {
    const row = await lockServer(ctx.db, serverId)
    const job = await findJob(ctx.db, jobId)
    if (row?.nodeId === targetId || !job || job.endedAt !== null) return false
    const because = await becauseAway(ctx.db, { serverId, targetId }, TARGET_LOST)
    await ctx.jobs.sagas.cancel(ctx.db, jobId, because)
    return true
  })
}

const PLACE_LOST = 'place_lost'

/**
 * Returns a server to its former copy after its new node was lost before the server was proven there.
 * Only for failover, in the transaction that declares that node dead or sees that everything it
 * guarded has ended: otherwise the server could run twice.
 * @param move.targetId its current node
 * @returns whether it still has to be returned
 */
export function leadBack(
  ctx: Ctx,
  { serverId, targetId, jobId }: OnItsWay & { readonly jobId: string },
): Promise<boolean> {
  return ctx.transaction(async (ctx) => {
    const row = await lockServer(ctx.db, serverId)
    const job = await findJob(ctx.db, jobId)
    const saga = await findSaga(ctx.db, jobId)
    if (row?.nodeId !== targetId || !job || job.endedAt !== null) return false
    if (saga?.brokenOff?.code === PLACE_LOST) return false
    // A move that has already returned to this node has its other copy where it came from.
    if (job.input.targetId !== targetId) return false
    // Without the hold the last step is done, after which the former copy is deleted.
    const holds = (await holdsOf(ctx.db, [serverId])).get(serverId) ?? []
    if (!holds.includes('backing-up')) return false
    // If the node returns at this very moment, it learns that the server must be stopped.
    await beginHold(ctx, serverId, { kind: 'migrating', cause: 'move' })
    const name = (await findNode(ctx.db, targetId))?.name ?? 'Its new node'
    await ctx.jobs.sagas.cancel(ctx.db, jobId, {
      code: PLACE_LOST,
      detail: `${name} was lost before the server had proved itself there, so it is back where it was, with its files from before the move. What it has changed on ${name} since is kept there for 7 days`,
      late: true,
    })
    return true
  })
}

/**
 * For a step after which the server stays where it is, under the lock of its row: either this sees
 * `leadBack`, or `leadBack` sees what the step has done.
 * @throws {Permanent} place_lost
 */
export async function requirePlace({ ctx, job }: StepTools): Promise<void> {
  const broken = (await findSaga(ctx.db, job.id))?.brokenOff
  if (broken?.code === PLACE_LOST) throw new Permanent(broken.code, broken.detail)
}

/** Whether its new node counts as dead, so that the server's stop there is not waited for. */
export const isPlaceLost = async ({ ctx, job }: StepTools): Promise<boolean> =>
  (await findSaga(ctx.db, job.id))?.brokenOff?.code === PLACE_LOST

/** Fails a step for good if it failed because the target is away: retrying would not help. */
export async function unlessAway<T>(
  move: OnItsWay,
  { ctx }: StepTools,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Permanent) || OWN_FAILURES.includes(error.code)) throw error
    const target = await findNode(ctx.db, move.targetId)
    if (target && isOnline(target)) throw error
    const isGone = await isLost(ctx.db, move.targetId)
    const { code, detail } = await becauseAway(ctx.db, move, isGone ? TARGET_LOST : TARGET_SILENT)
    throw new Permanent(code, detail)
  }
}

const OWN_FAILURES = [TARGET_LOST, TARGET_SILENT, 'cancelled', 'not_found']

/**
 * Whether a job is rolling back because its target is away, so that it need not wait for the target.
 */
export async function isGivenUp({ ctx, job, failure }: StepTools): Promise<boolean> {
  if (failure?.code === TARGET_LOST || failure?.code === TARGET_SILENT) return true
  return (await findSaga(ctx.db, job.id))?.brokenOff?.code === TARGET_LOST
}

/** Failure of a job whose server was leaving a node that was declared dead or taken over. */
export const SOURCE_LOST = 'source_lost'

/**
 * For an undo that deletes what a move has left on the node that its server was leaving: whether it need
 * not wait for that node. One that was declared dead a moment ago may not count as lost yet.
 */
export async function isSourceLost(
  { ctx, job, failure }: StepTools,
  { sourceId }: { readonly sourceId: string },
): Promise<boolean> {
  if (failure?.code === SOURCE_LOST) return true
  if ((await findSaga(ctx.db, job.id))?.brokenOff?.code === SOURCE_LOST) return true
  return await isLost(ctx.db, sourceId)
}

/**
 * For an undo that deletes the target's part of a server: if the target is lost, records the deletion
 * for its return, so that nothing waits for it. Idempotent.
 * @param left.placementGeneration the newest placement that the target may know of
 * @returns whether nothing is left to do
 */
export async function leftBehind(
  tools: StepTools,
  left: OnItsWay & Omit<LeftPart, 'nodeId'>,
): Promise<boolean> {
  const { ctx } = tools
  const { serverId, targetId: nodeId, kind, placementGeneration, filesOn } = left
  const isOver = (await isGivenUp(tools)) || (await isPlaceLost(tools))
  if (!isOver && !(await isLost(ctx.db, nodeId))) return false
  const part = { serverId, nodeId, kind, placementGeneration, filesOn }
  await ctx.transaction((ctx) => notePart(ctx, part))
  return true
}

/**
 * The same where the shared storage with that part is not there, which was perhaps why the move failed:
 * its node deletes it once the storage is back.
 */
export async function leaveToStorage(
  { ctx }: StepTools,
  part: LeftPart,
  discard: () => Promise<unknown>,
): Promise<void> {
  try {
    await discard()
  } catch (error) {
    if (!(error instanceof Permanent) || error.code !== 'storage_away') throw error
    await ctx.transaction((ctx) => notePart(ctx, part))
  }
}

/** Notifies of a move that was given up, in the transaction that releases the server. */
export async function tellGivenUp(
  ctx: Ctx,
  tools: StepTools,
  { serverId, targetId }: OnItsWay,
): Promise<void> {
  const isBack = await isPlaceLost(tools)
  if (!isBack && !(await isGivenUp(tools))) return
  const row = await findServer(ctx.db, serverId)
  if (!row) return
  await ctx.emit('server.move_given_up', {
    ...(await newsOf(ctx.db, row)),
    isBack,
    isSilent: tools.failure?.code === TARGET_SILENT,
    nodeId: row.nodeId,
    nodeName: (await findNode(ctx.db, row.nodeId))?.name ?? '',
    targetName: (await findNode(ctx.db, targetId))?.name ?? '',
  })
}
