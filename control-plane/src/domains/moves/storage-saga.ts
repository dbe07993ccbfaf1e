import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { requireNotCancelled } from '../../jobs/sagas/cancellation.ts'
import { Permanent, type StepTools, saga } from '../../jobs/sagas/saga.ts'
import { forgetRestore, settleRestore } from '../backups/index.ts'
import { findNode } from '../nodes/index.ts'
import {
  beginHold,
  changeDesired,
  endOperation,
  findServer,
  hasHold,
  keptFrom,
  lockServer,
  newsOf,
  onPlace,
  respec,
  type ServerRow,
  updateStorageCopy,
} from '../servers/index.ts'
import { swapSnapshots } from '../vms/index.ts'
import { filesLeft } from './files-left.ts'
import { placedOn } from './places.ts'

/** Keeps it stopped while its files are copied. */
export const CHANGING = { kind: 'migrating', cause: 'storage' } as const
/** Keeps it stopped again, until it is known whether it has run on the new storage. */
const LOOKING = { kind: 'migrating', cause: 'storage-back' } as const

export const Change = z.object({
  serverId: z.uuid(),
  nodeId: z.uuid(),
  kind: z.enum(['container', 'vm']),
  from: z.uuid().nullable(),
  to: z.uuid().nullable(),
  placement: z.int(),
  /** It is to run afterwards. */
  wasOn: z.boolean(),
  /** Nothing is copied: it takes what its node still has there, which has nothing newer than this. */
  takesCopyOf: z.iso.datetime().optional(),
  /** It left that for an older copy before. */
  isNewer: z.boolean().optional(),
})
export type Change = z.infer<typeof Change>

/**
 * Changes the storage of a server on its node: copies it while it is stopped, verifies the copy, and only
 * then changes its storage.
 *
 * The way back to the former copy is open only while it is certain that the server has never run on the
 * new storage, because what it wrote there would be lost: as long as it has been held since before the
 * copy, or once its node, which was connected all the time, has reported with the server held again that
 * it did not start. Silence of the node is no such report: it is waited for, without a limit. A person who
 * cancels that wait leaves the server where it may have run. If the node is lost instead, the job is given
 * up (`lost-storages.ts`).
 *
 * Until the job ends, its files can only be read (`files/access.ts`), although it may start before: what is
 * written to them on the new storage would be lost on the way back, and shows in no report.
 *
 * One that takes an older copy leaves files that are newer, and away as a rule: they are kept for some
 * days (`keptFrom`), and once it may have run from the copy, nothing leads back but the same change in the
 * other direction. If it breaks off, the copy is kept just as long, to be taken after all.
 *
 * No undo waits for the node: from the storage in its spec, it sees by itself where a server lies. The
 * copy that is left is deleted after the job (`storage-copies.ts`).
 */
export const storageSaga = saga('server.storage', Change)
  .step('Stop', {
    do: (change, tools) => stopped(change, tools),
    async undo({ serverId }, { ctx }) {
      await endOperation(ctx, serverId, LOOKING)
      await endOperation(ctx, serverId, CHANGING)
    },
  })
  .step('Copy to the other storage', {
    async do({ serverId, nodeId, to, placement, takesCopyOf }, tools) {
      const work = { do: 'copy-to-storage', to, placementGeneration: placement } as const
      if (!takesCopyOf) await onPlace({ serverId, nodeId }, tools, work)
      return { copiedAt: new Date().toISOString() }
    },
  })
  .step('Change the storage', {
    async do(change, tools) {
      const { serverId, nodeId, to } = change
      await put(tools.ctx, change, change, (db) => requireNotCancelled(db, tools.job.id))
      await onPlace({ serverId, nodeId }, tools, { do: 'change-storage', to })
      return await beforeStart(change, tools.ctx)
    },
    undo: (change, { ctx }) => putBackUnlessRun(ctx, change),
  })
  .step('Prove the new storage', { do: (change, tools) => proven(change, tools) })
  .step('Finish', {
    async do(change, tools) {
      const { stoppedAt, wasOn, provenAt, failure } = change
      if (failure && !change.takesCopyOf) await goBackUnlessRun({ ...change, failure }, tools)
      const off = (Date.parse(provenAt) - Date.parse(stoppedAt)) / 1000
      if (failure) await tools.progress(100, `It did not start: ${failure.detail}`)
      else if (wasOn) await tools.progress(100, `The server was off for ${off.toFixed(1)} s`)
    },
  })

/** Waits until it is off, and for jobs that change many of its files. */
async function stopped(change: Change, tools: StepTools): Promise<{ stoppedAt: string }> {
  const { ctx, progress } = tools
  const { serverId, nodeId, kind } = change
  const row = await placedOn(ctx, serverId, nodeId)
  if (row.settledGeneration < row.generation) {
    await progress(null, 'Waiting for the server to stop')
    await settled(change, tools)
  }
  await filesLeft(change, tools)
  // Files from before a restore do not come along.
  if (!change.takesCopyOf) await settleRestore(serverId, tools)
  const now = await placedOn(ctx, serverId, nodeId)
  if (kind === 'container' && now.installFailed)
    throw new Permanent('install_failed', 'Its installation failed meanwhile: install it first')
  return { stoppedAt: new Date().toISOString() }
}

/**
 * Makes `to` its storage instead of `from`, and remembers that the copy on `from` is not the server any
 * more. Idempotent. Whatever runs is started again, since a server changes its storage only in a start.
 * @param unless refuses it, under the lock of the server
 */
export function put(
  ctx: Ctx,
  { serverId, nodeId, takesCopyOf, to: wanted }: Change,
  { from, to }: Pick<Change, 'from' | 'to'>,
  unless: (db: Ctx['db']) => Promise<void> = async () => undefined,
): Promise<void> {
  return ctx.transaction(async (ctx) => {
    const row = await lockServer(ctx.db, serverId)
    // Deleted meanwhile, or brought back on another node: then it stays where it is.
    if (row?.nodeId !== nodeId || row.storageId !== from) return
    await unless(ctx.db)
    await changeDesired(ctx, row, {
      storageId: to,
      ...(row.desiredPower === 'on' && { desiredRun: row.desiredRun + 1 }),
      ...(await respec(ctx, { ...row, storageId: to })),
    })
    const isBack = to !== wanted
    await updateStorageCopy(
      ctx.db,
      { serverId, nodeId },
      {
        ...{ storageId: from, tries: 0, tryAt: ctx.now, failure: null },
        // On the way back, too: it may be the newer one, which was to be taken again.
        keptUntil: takesCopyOf ? keptFrom(ctx.now) : null,
        createdAt: takesCopyOf && isBack ? new Date(takesCopyOf) : ctx.now,
      },
    )
  })
}

/**
 * Back to the former copy, if the server is held still, so that the other one is the same, or its node has
 * reported with the server held again that it did not start.
 */
function putBackUnlessRun(ctx: Ctx, change: Change & Partial<Before>): Promise<void> {
  const { serverId, from, to } = change
  return ctx.transaction(async (ctx) => {
    const row = await lockServer(ctx.db, serverId)
    if (!row) return
    const isAsBefore =
      (await hasHold(ctx.db, serverId, CHANGING)) ||
      ((await hasHold(ctx.db, serverId, LOOKING)) &&
        row.settledGeneration >= row.generation &&
        !(await mayHaveRun(ctx, row, change)))
    if (isAsBefore) await put(ctx, change, { from: to, to: from })
  })
}

/** What shows afterwards whether it has run on the new storage. */
interface Before {
  /** When it ended last, by the clock of its node. */
  readonly endedAt: string | null
  /** The connection of its node. */
  readonly sessionId: string | null
  /** How often it has been installed. */
  readonly desiredInstall: number
}

async function beforeStart({ serverId, nodeId }: Change, ctx: Ctx): Promise<Before> {
  const { lastExit, desiredInstall } = await placedOn(ctx, serverId, nodeId)
  const node = await findNode(ctx.db, nodeId)
  return { endedAt: lastExit?.at ?? null, sessionId: node?.sessionId ?? null, desiredInstall }
}

/**
 * Lets it start on the new storage. From here on, it may have written there, so it stays on a copy that it
 * has taken, with the snapshots of that one.
 */
export const letStart = (ctx: Ctx, change: Change): Promise<void> =>
  ctx.transaction(async (ctx) => {
    const { serverId, wasOn, takesCopyOf, isNewer = false } = change
    const isFirst = await endOperation(ctx, serverId, CHANGING, (row) =>
      row.desiredPower === 'on' && !wasOn ? { desiredPower: 'off' } : {},
    )
    const row = isFirst && takesCopyOf ? await findServer(ctx.db, serverId) : undefined
    if (!row || !takesCopyOf) return
    const at = new Date(takesCopyOf)
    await swapSnapshots(ctx, serverId, at)
    // What an earlier restore would go back to belongs to the other copy.
    await forgetRestore(ctx.db, serverId)
    await ctx.emit('server.older-copy', { ...(await newsOf(ctx.db, row)), at, isNewer })
  })

interface Proven {
  readonly provenAt: string
  /** Why it did not start there; it may have run for a moment all the same. */
  readonly failure?: { readonly code: string; readonly detail: string }
}

/**
 * Waits until it runs there, or the node has taken the change over. A server that crashes has run there,
 * and stays.
 */
async function proven(change: Change, tools: StepTools): Promise<Proven> {
  await letStart(tools.ctx, change)
  const why = change.wasOn ? 'Waiting for the server to start' : 'Waiting for the node'
  await tools.progress(null, why)
  const { failure } = await settled(change, tools)
  return { provenAt: new Date().toISOString(), ...(failure && { failure }) }
}

/**
 * Has the server lie on the former storage again, if it certainly has not run on the new one: what has run
 * there for a moment only, or is started again meanwhile, stays.
 * @throws {Permanent} what kept it from starting, once it lies there
 */
async function goBackUnlessRun(
  change: Change & Before & Required<Pick<Proven, 'failure'>>,
  tools: StepTools,
): Promise<void> {
  const { ctx } = tools
  const { serverId, nodeId, from, failure } = change
  const before = await placedOn(ctx, serverId, nodeId)
  if (before.storageId !== from && before.observedState !== 'running')
    await lookAndPutBack(change, tools)
  if ((await placedOn(ctx, serverId, nodeId)).storageId !== from) {
    await endOperation(ctx, serverId, LOOKING)
    return
  }
  throw new Permanent(
    failure.code,
    `The server did not start on the other storage, so it is where it was: ${failure.detail}`,
  )
}

/** Holds it, so that it cannot start while this looks whether it has run. */
async function lookAndPutBack(
  change: Change & Before & Required<Pick<Proven, 'failure'>>,
  tools: StepTools,
): Promise<void> {
  const { ctx } = tools
  const { serverId, from, to, failure } = change
  // A runtime that did not answer may still carry out the start.
  if (failure.code === 'runtime_unavailable') return
  await beginHold(ctx, serverId, LOOKING)
  await settled(change, tools)
  await ctx.transaction(async (ctx) => {
    const row = await lockServer(ctx.db, serverId)
    if (!row) return
    // The undo of the first step lets it start there.
    if (!(await mayHaveRun(ctx, row, change))) await put(ctx, change, { from: to, to: from })
  })
}

const AT_REST = ['absent', 'stopped', 'crashed']

/**
 * Unless its node was connected all the time, the last end of it is the one known before the start, and it
 * was not installed since.
 */
async function mayHaveRun(ctx: Ctx, row: ServerRow, before: Partial<Before>): Promise<boolean> {
  if (!AT_REST.includes(row.observedState)) return true
  if ((row.lastExit?.at ?? null) !== before.endedAt) return true
  if (row.desiredInstall !== before.desiredInstall) return true
  const node = await findNode(ctx.db, row.nodeId)
  return !node?.sessionId || node.sessionId !== before.sessionId
}

/** Waits, however long, until its node has reported that it did what is asked of the server now. */
async function settled({ serverId, nodeId }: Change, tools: StepTools): Promise<ServerRow> {
  const { ctx, waitUntil } = tools
  const { generation } = await placedOn(ctx, serverId, nodeId)
  await waitUntil({ kind: 'generation-settled', generation }, async () => {
    const row = await placedOn(ctx, serverId, nodeId)
    return row.settledGeneration >= generation
  })
  return await placedOn(ctx, serverId, nodeId)
}
