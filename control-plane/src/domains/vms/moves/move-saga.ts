import { MachineManifest } from '@lodge/shared/machine-copy.ts'
import { isMachine } from '@lodge/shared/machine-spec.ts'
import { WaitExpired } from '../../../jobs/dispatch/parking.ts'
import { requireNotCancelled } from '../../../jobs/sagas/cancellation.ts'
import { runOnNode } from '../../../jobs/sagas/run-on-node.ts'
import { Permanent, type StepTools, saga } from '../../../jobs/sagas/saga.ts'
import { tellWay } from '../../nodes/index.ts'
import {
  discardOf,
  findMachine,
  findServer,
  isSourceLost,
  type LeftPart,
  leaveToStorage,
  leftBehind,
  newsOf,
  onPlace,
  type ServerRow,
  tellGivenUp,
  unlessAway,
} from '../../servers/index.ts'
import { findMove } from '../store.ts'
import { Move } from './move.ts'
import { endMove, releaseHold, swapPlaces, takePlace, unplacedSpec } from './move-places.ts'

const SETTLE_MS = 600_000

/**
 * Moves a machine: waits until it is off, backs it up on its own node, transfers disks, firmware and
 * TPM to the other node, verifies them there, and only then changes its placement. On shared storage,
 * nothing is transferred. Nothing of the machine changes before its placement does; afterwards the
 * former copy stays until the machine has booted on its new node.
 */
export const migrateSaga = saga('vm.migrate', Move)
  .step('Make room', {
    do: (move, { ctx }) => takePlace(ctx, move),
    undo: (move, tools) => givenUp(move, tools),
  })
  .step('Stop', {
    do: (move, tools) => stopped(move, tools),
  })
  .step('Back up', {
    async do(move, tools) {
      if (move.returning || move.shared) return
      await runOnNode(tools, {
        nodeId: move.sourceId,
        serverId: move.serverId,
        name: 'back up',
        work: { $case: 'createSnapshot', value: { snapshotId: tools.job.id } },
      })
    },
    // On a lost node it goes with the former copy, once the machine was brought back elsewhere.
    async undo(move, tools) {
      if (!(await isSourceLost(tools, move))) await forgetBackup(move, tools)
    },
  })
  .step('Read the disks', {
    async do(move, tools) {
      if (move.returning || move.shared) return { manifest: '' }
      const done = await runOnNode(tools, {
        nodeId: move.sourceId,
        serverId: move.serverId,
        name: 'read',
        work: { $case: 'exportMachine', value: {} },
      })
      const text = done.output?.$case === 'machineManifest' ? done.output.value.document : ''
      const manifest = MachineManifest.safeParse(JSON.parse(text || 'null'))
      if (!manifest.success || manifest.data.serverId !== move.serverId)
        throw new Permanent('copy_damaged', 'The node told nothing usable of what it would copy')
      return { manifest: JSON.stringify(manifest.data) }
    },
  })
  .step('Copy', {
    async do(move, tools) {
      if (move.returning) return
      await unlessAway(move, tools, () => (move.shared ? prepare(move, tools) : copy(move, tools)))
    },
    async undo(move, tools) {
      const { serverId, targetId, returning, storages } = move
      const placementGeneration = move.placement + 1
      if (returning) return
      const filesOn = storages?.to ?? undefined
      const left = { serverId, kind: 'vm', placementGeneration, filesOn } as const
      if (await leftBehind(tools, { ...left, targetId })) return
      const part = { ...left, nodeId: targetId }
      await leaveToStorage(tools, part, () => discardAt(part, tools))
    },
  })
  .step('Change the place', {
    // A move that was given up before does not get here.
    do: (move, { ctx, job }) =>
      swapPlaces(ctx, move, move.sourceId, move.targetId, (db) => requireNotCancelled(db, job.id)),
    async undo(move, { ctx }) {
      // A machine that was deleted meanwhile cannot go back.
      if (await findServer(ctx.db, move.serverId))
        await swapPlaces(ctx, move, move.targetId, move.sourceId)
    },
  })
  .step('Prove the new place', {
    do: (move, tools) => settled(move, tools),
  })
  .step('Finish', {
    async do(move, tools) {
      await forgetBackup(move, tools).catch((error: unknown) => {
        // It is deleted with the former copy anyway.
        tools.ctx.log.warn({ err: error, serverId: move.serverId }, 'could not delete a backup')
      })
      await arrived(tools.ctx, move)
    },
  })

/** Releases the hold, and notifies its people. */
const arrived = (ctx: StepTools['ctx'], { serverId }: Move): Promise<void> =>
  ctx.transaction(async (ctx) => {
    const isNew = await releaseHold(ctx, serverId)
    const row = isNew ? await findServer(ctx.db, serverId) : undefined
    if (row) await ctx.emit('server.migrated', await newsOf(ctx.db, row))
  })

/** Releases the hold, and the reservations on the other node. */
async function givenUp(move: Move, tools: StepTools): Promise<void> {
  const { serverId, targetId, placement, returning } = move
  await tools.ctx.transaction(async (ctx) => {
    if (await releaseHold(ctx, serverId, placement + 1)) await tellGivenUp(ctx, tools, move)
    // Unless the move was a return, whose former copy stays there.
    if (!returning) await endMove(ctx, serverId, targetId)
  })
}

/** Waits, without a worker, until it is off: the hold of the move makes its node stop it. */
async function stopped(move: Move, { ctx, progress, waitUntil }: StepTools): Promise<void> {
  const row = await findServer(ctx.db, move.serverId)
  if (!row || row.settledGeneration >= row.generation) return
  await progress(null, 'Waiting for the machine to stop')
  await waitUntil({ kind: 'generation-settled', generation: row.generation }, async () => {
    const now = await findServer(ctx.db, move.serverId)
    return !now || now.settledGeneration >= now.generation
  })
}

/** Defines it on the target with its disks on the shared storage. */
async function prepare({ serverId, targetId: nodeId, placement }: Move, tools: StepTools) {
  const spec = await unplacedSpec(tools.ctx, serverId)
  const placementGeneration = placement + 1
  const place = { serverId, nodeId }
  await onPlace(place, tools, { do: 'make-machine', spec, placementGeneration })
  await onPlace(place, tools, { do: 'adopt', placementGeneration })
}

async function copy(move: Move & { manifest: string }, tools: StepTools): Promise<void> {
  const { ctx } = tools
  const server = await findServer(ctx.db, move.serverId)
  const machine = await findMachine(ctx.db, move.serverId)
  if (!server || !machine || !isMachine(server.desiredSpec))
    throw new Permanent('not_found', 'The machine is gone')
  const { storage: from, ...spec } = server.desiredSpec
  const storage = move.storages ? move.storages.to : (from ?? null)
  const machineSpec = JSON.stringify({ ...spec, ...(storage !== null && { storage }) })
  const end = { serverId: move.serverId, kind: 'copy' }
  let close: () => void = () => undefined
  try {
    const done = await runOnNode(tools, {
      nodeId: move.targetId,
      serverId: move.serverId,
      name: 'copy',
      async work() {
        close()
        const pair = await ctx.fleet.openPair(
          { ...end, nodeId: move.sourceId },
          { ...end, nodeId: move.targetId },
        )
        close = pair.close
        const { manifest } = move
        const value = {
          manifest,
          machineSpec,
          placementGeneration: move.placement + 1,
          ...pair.second,
        }
        return { $case: 'importMachine', value }
      },
    })
    await tellWay(tools, done, { fromId: move.sourceId, toId: move.targetId })
  } finally {
    close()
  }
}

/** Waits, without a worker, until the target reports that it has taken the machine over. */
async function settled(move: Move, { ctx, progress, waitUntil }: StepTools): Promise<void> {
  const row = await placedAt(move, ctx)
  if (row.settledGeneration < row.generation)
    await progress(null, 'Waiting for the node to take it over')
  try {
    const { generation, nodeId } = row
    const settles = { kind: 'generation-settled', generation, nodeId } as const
    await waitUntil({ ...settles, withinMs: SETTLE_MS }, async () => {
      const now = await placedAt(move, ctx)
      return now.settledGeneration >= now.generation
    })
  } catch (error) {
    if (!(error instanceof WaitExpired)) throw error
    throw new Permanent('node_timeout', 'The other node did not take the machine over in time')
  }
  const { failure, observedState } = await placedAt(move, ctx)
  if (!failure && observedState !== 'absent') return
  throw new Permanent(
    failure?.code ?? 'copy_damaged',
    `The other node does not have it whole: ${failure?.detail ?? 'it knows no such machine'}`,
  )
}

async function placedAt(move: Move, ctx: StepTools['ctx']): Promise<ServerRow> {
  const row = await findServer(ctx.db, move.serverId)
  if (row?.nodeId === move.targetId) return row
  throw new Permanent('not_found', 'The machine is gone')
}

/**
 * A backup from before the move is useless afterwards, and goes with the machine if that is deleted.
 */
async function forgetBackup(move: Move, tools: StepTools): Promise<void> {
  if (move.returning || move.shared) return
  if (!(await findMove(tools.ctx.db, move.serverId))) return
  await runOnNode(tools, {
    nodeId: move.sourceId,
    serverId: move.serverId,
    name: 'forget',
    work: { $case: 'deleteSnapshot', value: { snapshotId: tools.job.id } },
    always: true,
    timeoutMs: 60_000,
  })
}

async function discardAt(
  { nodeId, serverId, placementGeneration, filesOn }: LeftPart,
  tools: StepTools,
): Promise<void> {
  await runOnNode(tools, {
    ...{ nodeId, serverId, name: 'discard', always: true, timeoutMs: 600_000 },
    work: discardOf('vm', placementGeneration, filesOn),
  })
}
