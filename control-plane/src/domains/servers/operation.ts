import type { JobKindName } from '@lodge/shared/job-kinds.ts'
import type { HoldKind } from '@lodge/shared/servers.ts'
import type { Ctx } from '../../context.ts'
import type { Saga } from '../../jobs/saga.ts'
import type { JobRow } from '../../jobs/tables.ts'
import { notFound } from '../../problem.ts'
import { lockOwner, type UserRow } from '../customers/index.ts'
import { aboutServer } from './about.ts'
import { announceDesired, changeDesired } from './desired-state.ts'
import { deleteHold, insertHold, lockServer } from './store.ts'
import type { ServerRow } from './tables.ts'
import { findView, type ServerView } from './view.ts'

/** A server whose row and whose owner's row nobody else changes until the transaction ends. */
export interface HeldServer {
  readonly owner: UserRow
  readonly row: ServerRow
  readonly view: ServerView
}

/** Why a server is held, and by whom: only who gives the same cause ends it. */
export interface Hold {
  readonly kind: HoldKind
  readonly cause: string
}

/** What is about to happen to a server. */
export interface Operation {
  /** Of the job, as people read it. */
  readonly title: string
  /** Keeps everything else away until `endOperation`. */
  readonly hold?: Hold
  /** Starts that were put off give way to it. */
  readonly supersedesStarts?: boolean
  /** What is desired of the server from now on; without a change and a hold its node hears nothing. */
  readonly desired?:
    | Partial<ServerRow>
    | ((ctx: Ctx, row: ServerRow) => Promise<ServerRow>)
    | undefined
  /** Who does the work: a saga (`bySaga`) or the node, by reaching the desired state (`byNode`). */
  readonly work: Work
}

type Work = (
  ctx: Ctx,
  about: ReturnType<typeof aboutServer>,
  changed: Pick<ServerRow, 'generation'>,
) => Promise<JobRow>

/** The steps of a saga do it; its last step, and the undo of its first, call `endOperation`. */
export const bySaga =
  <Input extends object>(saga: Pick<Saga<Input, never>, 'name' | 'steps'>, input: Input): Work =>
  (ctx, about) =>
    ctx.jobs.sagas.enqueue(ctx, saga, input, about)

/** The node does it: the job ends when the node has settled the generation that this change makes. */
export const byNode =
  (kind: JobKindName, steps: readonly string[]): Work =>
  (ctx, about, { generation }) =>
    ctx.jobs.desiredState.awaitGeneration(ctx, kind, generation, about, steps)

/** Locks owner and server, in this order as everywhere, and reads what the server is then. */
export async function holdServer(
  ctx: Ctx,
  server: Pick<ServerView, 'id' | 'ownerId'>,
): Promise<HeldServer> {
  // Asked together: on one connection they are answered in this order and cost one trip.
  const [owner, row, view] = await Promise.all([
    lockOwner(ctx.db, server.ownerId),
    lockServer(ctx.db, server.id),
    findView(ctx.db, server.id),
  ])
  if (!owner || !row || !view) throw notFound('server')
  return { owner, row, view }
}

/**
 * Begins something that takes longer than a request, all of it in one transaction or nothing:
 *
 * 1. owner and server are locked, so that of two operations one sees what the other has begun;
 * 2. `plan` refuses by what the server is now (as `requireChangeable` does), by limits and by places,
 *    and reserves what is needed;
 * 3. the hold is set, the desired state changes under a new generation, and node and panels hear of it
 *    when the transaction commits;
 * 4. the job is made that tells how it went, or `job_in_progress` is thrown where one of its concurrency
 *    group is open.
 *
 * The server stays held until `endOperation`, whatever is killed meanwhile: a job is resumed, and takes
 * the hold with it when it ends.
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

/** Steps 3 and 4 of `operate`, for who has locked the server and looked at it. */
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

/** The same for a server that was inserted in this transaction: its first desired state is in the row. */
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
 * Ends the hold of an operation and lets the node go on with what is desired. Once: nothing happens
 * when the hold has ended already or the server is gone, so a step or an undo may repeat it.
 * @param change what the operation leaves behind in the server's row
 * @returns whether the hold was there
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
