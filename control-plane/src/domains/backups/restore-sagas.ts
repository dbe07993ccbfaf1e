import { z } from 'zod'
import { WaitExpired } from '../../jobs/dispatch/parking.ts'
import { Permanent, type Saga, type StepTools, saga } from '../../jobs/sagas/saga.ts'
import {
  beginHold,
  endOperation,
  findServer,
  lockServer,
  newsOf,
  type ServerRow,
} from '../servers/index.ts'
import { judging } from './judging.ts'
import { deleteRestore, findRestore, insertRestore, updateRestore } from './restore-store.ts'
import { backupOnNode } from './work.ts'

/** Input of a restore. */
export const Restoring = z.object({
  serverId: z.uuid(),
  nodeId: z.uuid(),
  repositoryId: z.uuid(),
  backupId: z.uuid(),
  backupName: z.string(),
  snapshotId: z.string(),
  restoreId: z.uuid(),
  /** An earlier restore whose former data still exist. */
  formerId: z.uuid().nullable(),
  sizeBytes: z.number(),
})
type About = z.infer<typeof Restoring>

/** How long the data from before a restore are kept when no start proves the restored ones. */
export const FORMER_HOURS = 24
/** Stopping may take a template's whole chain of stop steps, starting its readiness timeout. */
const SETTLE_MS = 3_600_000

/** Keeps the server stopped while its data are exchanged. */
const restoring = (cause: string) => ({ kind: 'restoring', cause }) as const

/**
 * Replaces the data of a server without first destroying any: restores and verifies the new data
 * beside the old while the server runs, then exchanges both atomically, and keeps the former data
 * until a start has proven the restored ones. Every failure leads back to the former data.
 * @param first the saga whose steps come before
 */
export const restoreIn = <Input, State extends About>(first: Saga<Input, State>) =>
  first
    .step('Restore beside the present files', {
      async do(about, tools) {
        await settleFormer(about, tools)
        const { snapshotId, restoreId, sizeBytes } = about
        const stage = { do: 'stage', snapshotId, restoreId, sizeBytes } as const
        // All of it is read and compared.
        await judging(about, tools, () => onNode(about, tools, 'stage', stage))
      },
      async undo(about, tools) {
        await settle(about, tools, about.restoreId)
        await deleteRestore(tools.ctx.db, about.serverId, about.restoreId)
      },
    })
    .step('Stop the server', {
      async do(about, tools) {
        const wasOn = await hold(about, tools)
        return { wasOn }
      },
      undo: (about, tools) => release(about, tools),
    })
    .step('Exchange the files', {
      async do(about, tools) {
        await onNode(about, tools, 'swap', { do: 'swap', restoreId: about.restoreId })
      },
      async undo(about, tools) {
        if (!(await findServer(tools.ctx.db, about.serverId))) return
        await hold(about, tools)
        const work = { do: 'swap-back', restoreId: about.restoreId } as const
        await onNode(about, tools, 'swap-back', work, true)
      },
    })
    .step('Start', {
      async do(about, tools) {
        await release(about, tools)
        const row = await present(about, tools)
        await updateRestore(tools.ctx.db, about.serverId, about.restoreId, {
          sinceGeneration: row.generation,
        })
        if (about.wasOn) await proven(about, tools)
      },
      // The undo of the previous step stops it again and brings the former data back.
      undo: async () => {},
    })
    .step('Finish', {
      do: (about, { ctx }) =>
        ctx.transaction(async (ctx) => {
          const row = await lockServer(ctx.db, about.serverId)
          const restore = await findRestore(ctx.db, about.serverId)
          if (!row || restore?.restoreId !== about.restoreId || restore.state === 'kept') return
          await updateRestore(ctx.db, about.serverId, about.restoreId, {
            state: 'kept',
            restoredAt: ctx.now,
          })
          await ctx.live.announce(ctx.db, { kind: 'backups', id: row.id })
          const { backupId, backupName } = about
          await ctx.emit('backup.restored', {
            ...(await newsOf(ctx.db, row)),
            backupId,
            backupName,
          })
        }),
    })

export const restoreSaga = restoreIn(saga('backup.restore', Restoring))

function onNode(
  about: About,
  tools: StepTools,
  name: string,
  work: Parameters<typeof backupOnNode>[1]['work'],
  always = false,
) {
  const { serverId, nodeId, repositoryId } = about
  const opens = work.do === 'stage'
  return backupOnNode(tools, {
    serverId,
    nodeId,
    ...(opens && { repositoryId }),
    name,
    work,
    always,
  })
}

/** Deletes older former data: only one set is kept. */
async function settleFormer(about: About, tools: StepTools): Promise<void> {
  const { serverId, restoreId, backupId, formerId } = about
  if (formerId === null) return
  await settle(about, tools, formerId)
  await tools.ctx.transaction(async ({ db }) => {
    await deleteRestore(db, serverId, formerId)
    if ((await findRestore(db, serverId)) === undefined)
      await insertRestore(db, { serverId, restoreId, backupId, state: 'working' })
  })
}

async function settle(about: About, tools: StepTools, restoreId: string): Promise<void> {
  if (!(await findServer(tools.ctx.db, about.serverId))) return
  await onNode(about, tools, `settle ${restoreId}`, { do: 'settle', restoreId }, true)
}

/** Stops the server and keeps it stopped. @returns whether it was meant to run */
async function hold(about: About, { ctx, waitUntil, progress }: StepTools): Promise<boolean> {
  const { serverId, restoreId } = about
  const held = await beginHold(ctx, serverId, restoring(restoreId))
  if (!held) throw new Permanent('not_found', 'The server is gone')
  await progress(null, 'Waiting for the server to stop')
  await waitUntil({ kind: 'generation-settled', generation: held.generation }, async () => {
    const row = await findServer(ctx.db, serverId)
    return !row || row.settledGeneration >= held.generation
  })
  return held.desiredPower === 'on'
}

const release = async ({ serverId, restoreId }: About, { ctx }: StepTools): Promise<void> => {
  await endOperation(ctx, serverId, restoring(restoreId))
}

/** Waits until the server runs with the restored data. */
async function proven(about: About, tools: StepTools): Promise<void> {
  const { waitUntil, progress } = tools
  const { generation, nodeId } = await present(about, tools)
  await progress(null, 'Waiting for the server to start')
  try {
    const started = { kind: 'generation-settled', generation, nodeId } as const
    await waitUntil({ ...started, withinMs: SETTLE_MS }, async () => {
      const row = await present(about, tools)
      return row.settledGeneration >= generation
    })
  } catch (error) {
    if (!(error instanceof WaitExpired)) throw error
    throw new Permanent(
      'node_timeout',
      'The server did not start with the restored files in time, so it has the former ones again',
    )
  }
  const { failure, observedState } = await present(about, tools)
  if (!failure && observedState !== 'crashed') return
  throw new Permanent(
    failure?.code ?? 'start_failed',
    `The server did not start with the restored files, so it has the former ones again: ${failure?.detail ?? 'it crashed'}`,
  )
}

async function present({ serverId }: About, { ctx }: StepTools): Promise<ServerRow> {
  const row = await findServer(ctx.db, serverId)
  if (row) return row
  throw new Permanent('not_found', 'The server is gone')
}
