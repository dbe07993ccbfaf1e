import type { JobKindName } from '@lodge/shared/job-kinds.ts'
import type { JobTitle, NodeStep } from '@lodge/shared/job-words.ts'
import type { HoldKind } from '@lodge/shared/servers.ts'
import type { Ctx } from '../../context.ts'
import type { JobRow } from '../../jobs/board/tables.ts'
import type { Saga } from '../../jobs/sagas/saga.ts'
import { notFound } from '../../problem.ts'
import { lockOwner, type UserRow } from '../customers/index.ts'
import { aboutServer } from './about.ts'
import { announceDesired, changeDesired } from './desired-state/desired-state.ts'
import { deleteHold, insertHold } from './hold-store.ts'
import { lockServer } from './store.ts'
import type { ServerRow } from './tables.ts'
import { findView, type ServerView } from './view/view.ts'

/** A server whose row and owner's row are locked until the transaction ends. */
export interface HeldServer {
  readonly owner: UserRow
  readonly row: ServerRow
  readonly view: ServerView
}

/** Why a server is held, and by whom: only the same cause can release it. */
export interface Hold {
  readonly kind: HoldKind
  readonly cause: string
}

/** What is about to happen to a server. */
export interface Operation {
  /** Title of the job. */
  readonly title: JobTitle
  /** Blocks other operations until `endOperation`. */
  readonly hold?: Hold
  /** Replaces starts that are still waiting. */
  readonly supersedesStarts?: boolean
  /** Change of the desired state; without a change or hold, the node is not notified. */
  readonly desired?:
    | Partial<ServerRow>
    | ((ctx: Ctx, row: ServerRow) => Promise<ServerRow>)
    | undefined
  /** Who does the work: a saga (`bySaga`), or the node by reaching the desired state (`byNode`). */
  readonly work: Work
}

type Work = (
  ctx: Ctx,
  about: ReturnType<typeof aboutServer>,
  changed: Pick<ServerRow, 'generation'>,
) => Promise<JobRow>

/** Done by a saga; its last step, and the undo of its first, must call `endOperation`. */
export const bySaga =
  <Input extends object>(saga: Pick<Saga<Input, never>, 'name' | 'steps'>, input: Input): Work =>
  (ctx, about) =>
    ctx.jobs.sagas.enqueue(ctx, saga, input, about)

/** Done by the node: the job ends when the node has settled the generation of this change. */
export const byNode =
  (kind: JobKindName, steps: readonly NodeStep[]): Work =>
  (ctx, about, { generation }) =>
    ctx.jobs.desiredState.awaitGeneration(ctx, kind, generation, about, steps)

/**
 * Locks owner and server, in this order everywhere to prevent deadlocks, and then reads the server.
 */
export async function holdServer(
  ctx: Ctx,
  server: Pick<ServerView, 'id' | 'ownerId'>,
): Promise<HeldServer> {
  // Sent together: one connection executes them in order, in a single round trip.
  const [owner, row, view] = await Promise.all([
    lockOwner(ctx.db, server.ownerId),
    lockServer(ctx.db, server.id),
    findView(ctx.db, server.id),
  ])
  if (!owner || !row || !view) throw notFound('server')
  return { owner, row, view }
}

/**
 * Starts an operation that outlives the request, in one transaction:
 *
 * 1. owner and server are locked, so of two concurrent operations one sees what the other has begun;
 * 2. `plan` checks the server's state (like `requireChangeable`), limits and locations, and reserves
 *    what is needed;
 * 3. the hold is set, the desired state changes under a new generation, and node and panels are
 *    notified on commit;
 * 4. the job that reports the outcome is created, or `job_in_progress` is thrown if one of its
 *    concurrency group is open.
 *
 * The server stays held until `endOperation`, even if processes are killed: a job is resumed, and
 * releases the hold when it ends.
 */
export function operate(
  ctx: Ctx,
  server: Pick<ServerView, 'id' | 'ownerId'>,
  plan: (ctx: Ctx, held: HeldServer) => Operation | Promise<Operation>,
): Promise<{ jobId: string }> {
  return ctx.transaction(async (ctx) => {
    const held = await holdServer(ctx, server)
    return beginOperation(ctx, held.row, await plan(ctx, held))
  })
}

/** Steps 3 and 4 of `operate`, for callers that have already locked and checked the server. */
export async function beginOperation(
  ctx: Ctx,
  row: ServerRow,
  { title, hold, supersedesStarts = false, desired, work }: Operation,
): Promise<{ jobId: string; changed: ServerRow }> {
  if (supersedesStarts) await ctx.jobs.desiredState.supersedeDeferred(ctx.db, row.id)
  if (hold) await insertHold(ctx.db, row.id, hold.kind, hold.cause)
  let changed = row
  if (typeof desired === 'function') changed = await desired(ctx, row)
  else if (desired || hold) changed = await changeDesired(ctx, row, desired ?? {})
  const job = await work(ctx, aboutServer(row, title), changed)
  return { jobId: job.id, changed }
}

/** The same for a server inserted in this transaction, whose row holds its first desired state. */
export async function beginCreation(
  ctx: Ctx,
  row: Pick<ServerRow, 'id' | 'nodeId' | 'ownerId' | 'generation'>,
  { title, work }: Pick<Operation, 'title' | 'work'>,
): Promise<{ jobId: string }> {
  await announceDesired(ctx, row)
  const job = await work(ctx, aboutServer(row, title), row)
  return { jobId: job.id }
}

/**
 * Sets a hold in the middle of an operation. Idempotent.
 * @returns the server with its generation under the hold; undefined if it is gone
 */
export function beginHold(ctx: Ctx, serverId: string, hold: Hold): Promise<ServerRow | undefined> {
  return ctx.transaction(async (ctx) => {
    const row = await lockServer(ctx.db, serverId)
    if (!row) return undefined
    const isNew = await insertHold(ctx.db, serverId, hold.kind, hold.cause)
    return isNew ? await changeDesired(ctx, row, {}) : row
  })
}

/**
 * Releases the hold of an operation and lets the node proceed to the desired state. Idempotent:
 * does nothing if the hold or server is gone, so a step or undo may repeat it.
 * @param change what the operation changes in the server's row
 * @returns whether the hold existed
 */
export function endOperation(
  ctx: Ctx,
  serverId: string,
  hold: Hold,
  change: (row: ServerRow) => Partial<ServerRow> = () => ({}),
): Promise<boolean> {
  return ctx.transaction(async (ctx) => {
    const row = await lockServer(ctx.db, serverId)
    if (!row || !(await deleteHold(ctx.db, serverId, hold.kind, hold.cause))) return false
    await changeDesired(ctx, row, change(row))
    return true
  })
}
