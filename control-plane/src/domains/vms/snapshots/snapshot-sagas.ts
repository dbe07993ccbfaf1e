import { z } from 'zod'
import type { System } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { runOnNode } from '../../../jobs/sagas/run-on-node.ts'
import { Permanent, type StepTools, saga } from '../../../jobs/sagas/saga.ts'
import { Problem } from '../../../problem.ts'
import { lockOwner } from '../../customers/index.ts'
import { copiesOf, requireQuota } from '../../limits/index.ts'
import {
  endOperation,
  findServer,
  lockServer,
  newsOf,
  reserveForCopies,
  type ServerRow,
} from '../../servers/index.ts'
import * as store from '../store.ts'
import type { SnapshotRow } from '../tables.ts'

const About = z.object({ serverId: z.uuid(), nodeId: z.uuid(), snapshotId: z.uuid() })
type About = z.infer<typeof About>
const MIB = 1_048_576

/** Holds during a snapshot and during a restore. */
export const snapshotting = (cause: string) => ({ kind: 'snapshotting', cause }) as const
export const restoring = (cause: string) => ({ kind: 'restoring', cause }) as const

/**
 * Copies disks, firmware variables and TPM of a held machine, and reserves disk quota for the copy.
 */
export const createSnapshotSaga = saga(
  'vm.snapshot.create',
  About.extend({ force: z.boolean().default(false) }),
)
  .step('Make room', {
    async do(about, tools) {
      const done = await runOnNode(tools, {
        ...about,
        name: 'measure',
        work: { $case: 'measureMachine', value: {} },
        timeoutMs: 60_000,
      })
      const space = done.output?.$case === 'machineSpace' ? done.output.value : undefined
      const bytes = (space?.disks ?? []).reduce((sum, disk) => sum + disk.usedBytes, 0)
      const neededMb = Math.ceil((bytes + (space?.otherBytes ?? 0)) / MIB)
      await asPermanent(() => takeSpace(tools.ctx, about, neededMb, about.force))
    },
    undo: (about, tools) => abandon(about, tools),
  })
  .step('Copy', {
    async do(about, tools) {
      const done = await runOnNode(tools, {
        ...about,
        name: 'copy',
        work: { $case: 'createSnapshot', value: { snapshotId: about.snapshotId } },
      })
      const made = done.output?.$case === 'snapshots' ? done.output.value.snapshots[0] : undefined
      return { sizeBytes: made?.sizeBytes ?? 0 }
    },
    undo: (about, tools) => discard(about, tools),
  })
  .step('Finish', {
    do: ({ sizeBytes, ...about }, { ctx }) =>
      ctx.transaction(async (ctx) => {
        const row = await lockServer(ctx.db, about.serverId)
        const snapshot = await store.lockSnapshot(ctx.db, about.serverId, about.snapshotId)
        if (!row || !snapshot) throw new Permanent('not_found', 'The machine is gone')
        // Return the quota that the copy did not need.
        const surplusMb = Math.max(0, snapshot.reservedMb - Math.ceil(sizeBytes / MIB))
        await reserveForCopies(ctx, about, -surplusMb)
        await store.updateSnapshot(ctx.db, about.snapshotId, {
          state: 'ready',
          sizeBytes,
          reservedMb: snapshot.reservedMb - surplusMb,
        })
        await endOperation(ctx, about.serverId, snapshotting(about.snapshotId))
        await ctx.emit('vm.snapshot_created', await newsOfSnapshot(ctx, row, snapshot))
      }),
  })

/** Restores a held machine from a snapshot. A failure leaves it unchanged. */
export const restoreSnapshotSaga = saga('vm.snapshot.restore', About)
  .step('Restore', {
    async do(about, tools) {
      await runOnNode(tools, {
        ...about,
        name: 'restore',
        work: { $case: 'restoreSnapshot', value: { snapshotId: about.snapshotId } },
      })
    },
    undo: (about, { ctx }) => release(ctx, about),
  })
  .step('Finish', { do: (about, { ctx }) => release(ctx, about) })

export const deleteSnapshotSaga = saga('vm.snapshot.delete', About).step('Delete', {
  async do(about, tools) {
    await discard(about, tools)
    await drop(tools.ctx, about)
  },
  // A snapshot that could not be deleted still exists.
  undo: (about, { ctx }) => store.updateSnapshot(ctx.db, about.snapshotId, { state: 'ready' }),
})

async function discard(about: About, tools: StepTools): Promise<void> {
  // If the machine is gone, so are its snapshots.
  if (!(await findServer(tools.ctx.db, about.serverId))) return
  await runOnNode(tools, {
    ...about,
    name: 'delete',
    work: { $case: 'deleteSnapshot', value: { snapshotId: about.snapshotId } },
    // Also called by an undo, which must run although the job was cancelled.
    always: true,
    timeoutMs: 600_000,
  })
}

/** Retrying does not help against our own refusals. */
async function asPermanent(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Problem) throw new Permanent(error.code, error.message)
    throw error
  }
}

async function takeSpace(
  ctx: Ctx<System>,
  about: About,
  neededMb: number,
  force: boolean,
): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const server = await findServer(ctx.db, about.serverId)
    const owner = server && (await lockOwner(ctx.db, server.ownerId))
    const row = await lockServer(ctx.db, about.serverId)
    const snapshot = await store.lockSnapshot(ctx.db, about.serverId, about.snapshotId)
    if (!row || !owner || !snapshot) throw new Permanent('not_found', 'The machine is gone')
    // Reserved by an earlier attempt at this step.
    if (snapshot.reservedMb > 0) return
    const { storageMb } = await copiesOf(ctx.db, owner.id, row.id)
    await requireQuota(
      ctx,
      owner,
      () => [{ key: 'maxBackupStorageMb', used: storageMb, requested: neededMb }],
      { force, of: row },
    )
    await reserveForCopies(ctx, about, neededMb)
    await store.updateSnapshot(ctx.db, about.snapshotId, { reservedMb: neededMb })
  })
}

/** Releases a copy's disk quota and deletes its row. */
async function drop(ctx: Ctx<System>, about: About): Promise<void> {
  await ctx.transaction(async (ctx) => {
    await lockServer(ctx.db, about.serverId)
    const snapshot = await store.lockSnapshot(ctx.db, about.serverId, about.snapshotId)
    if (!snapshot) return
    await reserveForCopies(ctx, about, -snapshot.reservedMb)
    await store.deleteSnapshot(ctx.db, about.snapshotId)
    await ctx.live.announce(ctx.db, { kind: 'server', id: about.serverId })
  })
}

async function abandon(about: About, { ctx, job, failure }: StepTools): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const row = await lockServer(ctx.db, about.serverId)
    const snapshot = await store.lockSnapshot(ctx.db, about.serverId, about.snapshotId)
    await endOperation(ctx, about.serverId, snapshotting(about.snapshotId))
    await drop(ctx, about)
    if (!row || !snapshot || job.cancelRequested) return
    const why = failure ?? { code: 'internal_error', detail: 'The snapshot could not be taken' }
    const news = await newsOfSnapshot(ctx, row, snapshot)
    await ctx.emit('vm.snapshot_failed', { ...news, reason: why.detail })
  })
}

const newsOfSnapshot = async (ctx: Ctx, row: ServerRow, { id, name }: SnapshotRow) => ({
  ...(await newsOf(ctx.db, row)),
  ...{ snapshotId: id, snapshotName: name },
})

async function release(ctx: Ctx<System>, { serverId, snapshotId }: About): Promise<void> {
  await endOperation(ctx, serverId, restoring(snapshotId))
}
