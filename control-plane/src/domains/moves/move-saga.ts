import { z } from 'zod'
import { WaitExpired } from '../../jobs/dispatch/parking.ts'
import { requireNotCancelled } from '../../jobs/sagas/cancellation.ts'
import { runOnNode } from '../../jobs/sagas/run-on-node.ts'
import { Permanent, type StepTools, saga } from '../../jobs/sagas/saga.ts'
import {
  copyIn,
  copyOut,
  forgetCopies,
  forgetCopiesLater,
  settleRestore,
} from '../backups/index.ts'
import {
  beginHold,
  discardOf,
  endOperation,
  findServer,
  isPlaceLost,
  isSourceLost,
  leaveToStorage,
  leftBehind,
  listPorts,
  lockServer,
  newsOf,
  onPlace,
  requirePlace,
  specAt,
  tellGivenUp,
  unlessAway,
} from '../servers/index.ts'
import { filesLeft } from './files-left.ts'
import { leavePlace, placedOn, swapPlaces, takePlace } from './places.ts'
import { findMove } from './store.ts'

/** Keeps others from replacing the files while they are copied; the server keeps running. */
export const COPYING = { kind: 'backing-up', cause: 'move' } as const
/** Keeps it stopped while its last changes are copied and its node changes. */
const MOVING = { kind: 'migrating', cause: 'move' } as const
/** Stopping may take a template's whole chain of stop steps, starting its readiness timeout. */
const SETTLE_MS = 3_600_000

const Move = z.object({
  serverId: z.uuid(),
  sourceId: z.uuid(),
  targetId: z.uuid(),
  /** The placement being left. */
  placement: z.int(),
  repositoryId: z.uuid(),
  /** The copies made while it runs, and while it is off. */
  copyIds: z.tuple([z.uuid(), z.uuid()]),
  restoreId: z.uuid(),
  /** Both nodes have the shared storage with its files, so nothing is copied. */
  shared: z.boolean().default(false),
  /** It changes its storage on the way. */
  storages: z.object({ from: z.uuid().nullable(), to: z.uuid().nullable() }).optional(),
})
type Move = z.infer<typeof Move>
type TowardsTarget = Pick<Move, 'serverId' | 'targetId' | 'placement' | 'storages'>

/**
 * Moves a container server. Copies its files while it runs; then stops it, copies what has changed
 * since, and changes its node. Until it is proven on the new node, the former one keeps everything,
 * and every failure leads back to it.
 */
export const moveSaga = saga('server.migrate', Move)
  .step('Make room', {
    async do(move, tools) {
      await settleRestore(move.serverId, tools)
      await takePlace(tools.ctx, move)
    },
    undo: (move, tools) => givenUp(move, tools),
  })
  .step('Prepare the place', {
    do: (move, tools) => makePlace(move, tools),
    undo: (move, tools) => leavePrepared(move, tools),
  })
  .step('Copy while it goes on', {
    async do(move, tools) {
      if (move.shared) return
      await unlessAway(move, tools, () =>
        copyOut(move, { copyId: move.copyIds[0], alone: false }, tools),
      )
    },
    // The target may be the node that stores the copies, and a lost source cannot delete them.
    async undo(move, tools) {
      if (move.shared) return
      const isLeft = await leftBehind(tools, onTarget(move))
      if (isLeft || (await isSourceLost(tools, move)))
        await forgetCopiesLater(tools, move, move.copyIds)
      else await forgetCopies(move, move.copyIds, tools)
    },
  })
  .step('Stop', {
    do: (move, tools) => stopped(move, tools),
    async undo({ serverId }, { ctx }) {
      await endOperation(ctx, serverId, MOVING)
    },
  })
  .step('Copy what has changed', {
    do: (move, tools) => unlessAway(move, tools, () => copyRest(move, tools)),
  })
  .step('Change the place', {
    do: (move, tools) => changePlace(move, tools),
    undo: (move, tools) => changePlaceBack(move, tools),
  })
  .step('Prove the new place', {
    do: (move, tools) => proven(move, tools),
    // It must run nowhere before its node changes back. A dead node is not waited for.
    async undo(move, tools) {
      if (await isPlaceLost(tools)) await beginHold(tools.ctx, move.serverId, MOVING)
      else await keptOff(move, tools)
    },
  })
  .step('Finish', {
    // The former copy is deleted after this job, as soon as its node answers.
    async do({ serverId, wasOn, offSeconds }, tools) {
      const { ctx, progress } = tools
      await ctx.transaction(async (ctx) => {
        await lockServer(ctx.db, serverId)
        await requirePlace({ ...tools, ctx })
        const isNew = await endOperation(ctx, serverId, COPYING)
        const row = isNew ? await findServer(ctx.db, serverId) : undefined
        if (row) await ctx.emit('server.migrated', await newsOf(ctx.db, row))
      })
      if (wasOn) await progress(100, `The server was off for ${offSeconds.toFixed(1)} s`)
    },
  })

/** Prepares everything of a server but its files on the target node. */
export async function makePlace(
  move: TowardsTarget & Pick<Move, 'sourceId'>,
  tools: StepTools,
): Promise<void> {
  const { ctx } = tools
  const { serverId, sourceId, targetId: nodeId, storages } = move
  const row = await placedOn(ctx, serverId, sourceId)
  const place = await findMove(ctx.db, serverId)
  const ports = (await listPorts(ctx.db, serverId)).map((port) => ({
    ...port,
    hostPort: place?.ports[port.offset] ?? port.hostPort,
  }))
  const storageId = storages ? storages.to : row.storageId
  const spec = await specAt(ctx, { ...row, storageId }, nodeId, ports)
  const work = { do: 'make-place', spec, placementGeneration: move.placement + 1 } as const
  await onPlace({ serverId, nodeId }, tools, { ...work, ...(storages && { empty: true }) })
}

const onTarget = ({ serverId, targetId, placement, storages }: TowardsTarget) => ({
  ...({ serverId, targetId, kind: 'container', placementGeneration: placement + 1 } as const),
  filesOn: storages?.to ?? undefined,
})

/** Deletes what was prepared, or leaves that to a lost node for its return. */
export async function leavePrepared(move: TowardsTarget, tools: StepTools): Promise<void> {
  if (await leftBehind(tools, onTarget(move))) return
  const { serverId, targetId: nodeId, placementGeneration, kind, filesOn } = onTarget(move)
  const work = discardOf(kind, placementGeneration, filesOn)
  await leaveToStorage(tools, { nodeId, serverId, kind, placementGeneration, filesOn }, () =>
    runOnNode(tools, { nodeId, serverId, name: 'discard', work, always: true }),
  )
}

/** Lifts the holds, and releases the reservations on the other node. */
async function givenUp(move: Move, tools: StepTools): Promise<void> {
  const { serverId, targetId, placement } = move
  await tools.ctx.transaction(async (ctx) => {
    // The target has given up the placement prepared for it, so its number is skipped.
    const isNew = await endOperation(ctx, serverId, COPYING, (row) => ({
      placementGeneration: Math.max(row.placementGeneration, placement + 1),
    }))
    if (isNew) await tellGivenUp(ctx, tools, move)
    await leavePlace(ctx, { serverId, otherNodeId: targetId })
  })
}

async function copyRest(move: Move, tools: StepTools): Promise<void> {
  const adopt = () =>
    onPlace({ serverId: move.serverId, nodeId: move.targetId }, tools, {
      do: 'adopt',
      placementGeneration: move.placement + 1,
    })
  if (move.shared) return await adopt()
  const made = await copyOut(move, { copyId: move.copyIds[1], alone: true }, tools)
  await copyIn(move, { ...made, restoreId: move.restoreId }, tools)
  await adopt()
  await forgetCopies(move, move.copyIds, tools)
  if (made.way !== undefined) await tools.progress(100, made.way)
}

/** Changes the server's node to the target; a move that was given up before does not get here. */
function changePlace({ serverId, sourceId, targetId, storages }: Move, { ctx, job }: StepTools) {
  return ctx.transaction(async (ctx) => {
    const row = await lockServer(ctx.db, serverId)
    if (row?.nodeId === sourceId) await requireNotCancelled(ctx.db, job.id)
    await swapPlaces(ctx, serverId, sourceId, targetId, storages)
  })
}

/** Changes it back. A lost target keeps its copy of the server, as after any failover. */
function changePlaceBack({ serverId, sourceId, targetId, storages }: Move, tools: StepTools) {
  const back = storages && { from: storages.to, to: storages.from }
  return tools.ctx.transaction(async (ctx) => {
    const row = await lockServer(ctx.db, serverId)
    if (!row) return
    if (row.nodeId === targetId && (await isPlaceLost(tools))) {
      const { name: serverName, placementGeneration } = row
      const filesOn = storages?.to ?? undefined
      const left = { serverId, serverName, nodeId: targetId, placementGeneration, filesOn } as const
      await ctx.emit('server.left_behind', { ...left, kind: 'container', partial: false })
    }
    await swapPlaces(ctx, serverId, targetId, sourceId, back)
  })
}

/** Stops it until the move has ended. */
async function stopped(move: Move, tools: StepTools) {
  const { ctx } = tools
  const before = await placedOn(ctx, move.serverId, move.sourceId)
  // A server that crashed and was given up is not started elsewhere.
  const givenUp = before.observedState === 'crashed' && before.restartAt === null
  const wasOn = before.desiredPower === 'on' && !givenUp
  // Those that take long are waited for while it still runs, and those that have begun since afterwards.
  await filesLeft(move, tools)
  await keptOff(move, tools)
  await filesLeft(move, tools)
  if ((await placedOn(ctx, move.serverId, move.sourceId)).installFailed)
    throw new Permanent('install_failed', 'Its installation failed meanwhile: install it first')
  return { wasOn, offSince: new Date().toISOString() }
}

/** Waits until it is stopped on its current node. */
async function keptOff({ serverId }: Move, { ctx, waitUntil, progress }: StepTools): Promise<void> {
  const held = await beginHold(ctx, serverId, MOVING)
  if (!held) return
  await progress(null, 'Waiting for the server to stop')
  await waitUntil({ kind: 'generation-settled', generation: held.generation }, async () => {
    const row = await findServer(ctx.db, serverId)
    return !row || row.settledGeneration >= held.generation
  })
}

/** Waits until it runs there, or the node has taken it over stopped. */
async function proven(
  move: Move & { readonly wasOn: boolean; readonly offSince: string },
  tools: StepTools,
): Promise<{ offSeconds: number }> {
  const { ctx, progress, waitUntil } = tools
  const { serverId, targetId, wasOn } = move
  await ctx.transaction(async (ctx) => {
    await lockServer(ctx.db, serverId)
    await requirePlace({ ...tools, ctx })
    await endOperation(ctx, serverId, MOVING, (row) =>
      row.desiredPower === 'on' && !wasOn ? { desiredPower: 'off' } : {},
    )
  })
  const { generation } = await placedOn(ctx, serverId, targetId)
  await progress(null, wasOn ? 'Waiting for the server to start' : 'Waiting for the node')
  try {
    const started = { kind: 'generation-settled', generation, nodeId: targetId } as const
    await waitUntil({ ...started, withinMs: SETTLE_MS }, async () => {
      const row = await placedOn(ctx, serverId, targetId)
      return row.settledGeneration >= generation
    })
  } catch (error) {
    if (!(error instanceof WaitExpired)) throw error
    throw new Permanent('node_timeout', 'The other node did not start the server in time')
  }
  const { failure, observedState, desiredPower } = await placedOn(ctx, serverId, targetId)
  const off = observedState === 'absent' || (observedState === 'crashed' && desiredPower === 'on')
  if (failure || off)
    throw new Permanent(
      failure?.code ?? 'start_failed',
      `The server did not start on the other node, so it is where it was: ${failure?.detail ?? 'it crashed'}`,
    )
  return { offSeconds: (Date.now() - Date.parse(move.offSince)) / 1000 }
}
