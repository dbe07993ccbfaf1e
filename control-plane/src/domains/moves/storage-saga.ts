import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { WaitExpired } from '../../jobs/dispatch/parking.ts'
import { requireNotCancelled } from '../../jobs/sagas/cancellation.ts'
import { Permanent, type StepTools, saga } from '../../jobs/sagas/saga.ts'
import { settleRestore } from '../backups/index.ts'
import {
  changeDesired,
  endOperation,
  findServer,
  lockServer,
  onPlace,
  respec,
  updateStorageCopy,
} from '../servers/index.ts'
import { filesLeft } from './files-left.ts'
import { placedOn } from './places.ts'

/** Keeps it stopped while its files are copied. */
export const CHANGING = { kind: 'migrating', cause: 'storage' } as const
/** Stopping may take a template's whole chain of stop steps, starting its readiness timeout. */
const SETTLE_MS = 3_600_000

const Change = z.object({
  serverId: z.uuid(),
  nodeId: z.uuid(),
  kind: z.enum(['container', 'vm']),
  from: z.uuid().nullable(),
  to: z.uuid().nullable(),
  placement: z.int(),
  /** It is to run afterwards. */
  wasOn: z.boolean(),
})
type Change = z.infer<typeof Change>

/**
 * Changes the storage of a server on its node: copies it while it is stopped, verifies the copy, and only
 * then changes its storage. Until it has started there, its former copy is kept, and every failure leads
 * back to it. No undo waits for the node: from the storage in its spec, it sees by itself where a server
 * lies. The copy that is left is deleted after the job (`storage-copies.ts`).
 */
export const storageSaga = saga('server.storage', Change)
  .step('Stop', {
    do: (change, tools) => stopped(change, tools),
    async undo({ serverId }, { ctx }) {
      await endOperation(ctx, serverId, CHANGING)
    },
  })
  .step('Copy to the other storage', {
    async do({ serverId, nodeId, to, placement }, tools) {
      const work = { do: 'copy-to-storage', to, placementGeneration: placement } as const
      await onPlace({ serverId, nodeId }, tools, work)
      return { copiedAt: new Date().toISOString() }
    },
  })
  .step('Change the storage', {
    async do(change, tools) {
      const { serverId, nodeId, to } = change
      await put(tools.ctx, change, change, (db) => requireNotCancelled(db, tools.job.id))
      await onPlace({ serverId, nodeId }, tools, { do: 'change-storage', to })
    },
    undo: (change, { ctx }) => put(ctx, change, { from: change.to, to: change.from }),
  })
  .step('Prove the new storage', { do: (change, tools) => proven(change, tools) })
  .step('Finish', {
    async do({ stoppedAt, wasOn, provenAt }, { progress }) {
      const off = (Date.parse(provenAt) - Date.parse(stoppedAt)) / 1000
      if (wasOn) await progress(100, `The server was off for ${off.toFixed(1)} s`)
    },
  })

/** Waits until it is off, and for jobs that change many of its files. */
async function stopped(change: Change, tools: StepTools): Promise<{ stoppedAt: string }> {
  const { ctx, progress, waitUntil } = tools
  const { serverId, nodeId, kind } = change
  const row = await placedOn(ctx, serverId, nodeId)
  if (row.settledGeneration < row.generation) {
    await progress(null, 'Waiting for the server to stop')
    await waitUntil({ kind: 'generation-settled', generation: row.generation }, async () => {
      const now = await findServer(ctx.db, serverId)
      return !now || now.settledGeneration >= now.generation
    })
  }
  await filesLeft(change, tools)
  // Files from before a restore do not come along.
  await settleRestore(serverId, tools)
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
function put(
  ctx: Ctx,
  { serverId, nodeId }: Change,
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
    await updateStorageCopy(ctx.db, serverId, { storageId: from })
  })
}

/** Waits until it runs there, or the node has taken the change over. */
async function proven(
  { serverId, nodeId, wasOn }: Change,
  { ctx, progress, waitUntil }: StepTools,
): Promise<{ provenAt: string }> {
  await endOperation(ctx, serverId, CHANGING, (row) =>
    row.desiredPower === 'on' && !wasOn ? { desiredPower: 'off' } : {},
  )
  const { generation } = await placedOn(ctx, serverId, nodeId)
  await progress(null, wasOn ? 'Waiting for the server to start' : 'Waiting for the node')
  try {
    await waitUntil({ kind: 'generation-settled', generation, withinMs: SETTLE_MS }, async () => {
      const row = await placedOn(ctx, serverId, nodeId)
      return row.settledGeneration >= generation
    })
  } catch (error) {
    if (!(error instanceof WaitExpired)) throw error
    throw new Permanent('node_timeout', 'The node did not start the server in time')
  }
  const { failure, observedState, desiredPower } = await placedOn(ctx, serverId, nodeId)
  const off = observedState === 'absent' || (observedState === 'crashed' && desiredPower === 'on')
  if (failure || off)
    throw new Permanent(
      failure?.code ?? 'start_failed',
      `The server did not start on the other storage, so it is where it was: ${failure?.detail ?? 'it crashed'}`,
    )
  return { provenAt: new Date().toISOString() }
}
