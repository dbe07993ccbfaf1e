import { randomUUIDv7 } from 'node:crypto'
import type { Ctx } from '../../context.ts'
import { notFound, Problem } from '../../problem.ts'
import { copiesOf, requireQuota } from '../limits/index.ts'
import {
  aboutServer,
  changeDesired,
  insertHold,
  requireNode,
  type ServerView,
  totalMb,
} from '../servers/index.ts'
import { findProfile } from '../virtualization/index.ts'
import { holdMachine, requireVm } from './access.ts'
import { requireChangeable } from './changeable.ts'
import { createSnapshotSaga, deleteSnapshotSaga, restoreSnapshotSaga } from './snapshot-sagas.ts'
import * as store from './store.ts'

/**
 * Copies a stopped machine. How much room the copy takes is known only to the node, so that part of
 * the limits is looked at when the job has asked it.
 */
export async function createSnapshot(
  ctx: Ctx,
  server: ServerView,
  given: { name: string; force?: boolean | undefined },
): Promise<{ jobId: string; snapshotId: string }> {
  requireVm(server)
  return ctx.transaction(async (ctx) => {
    const { owner, row, machine, view } = await holdMachine(ctx, server)
    requireChangeable(view)
    const copies = await copiesOf(ctx.db, owner.id, row.id)
    await requireQuota(
      ctx,
      owner,
      () => [
        { key: 'maxServerBackups', used: copies.ofServer, requested: 1 },
        { key: 'maxBackups', used: copies.count, requested: 1 },
        { key: 'maxBackupStorageMb', used: copies.storageMb, requested: 1 },
      ],
      { force: given.force, of: row },
    )
    const profile = await findProfile(ctx.db, machine.profileId)
    const snapshotId = randomUUIDv7()
    const job = await ctx.jobs.sagas.enqueue(
      ctx,
      createSnapshotSaga,
      {
        serverId: row.id,
        nodeId: row.nodeId,
        snapshotId,
        force: given.force === true,
      },
      aboutServer(row, `Take a snapshot of ${row.name}`),
    )
    await store.insertSnapshot(ctx.db, {
      id: snapshotId,
      serverId: row.id,
      name: given.name,
      state: 'creating',
      diskMb: totalMb(machine.disks),
      hasFirmware: profile?.hardware.firmware.kind === 'uefi',
      hasTpm: profile?.hardware.tpm ?? false,
    })
    await insertHold(ctx.db, row.id, 'snapshotting', snapshotId)
    await changeDesired(ctx, row, {})
    return { jobId: job.id, snapshotId }
  })
}

/** Makes a stopped machine what it was: disks, firmware variables and TPM. */
export async function restoreSnapshot(
  ctx: Ctx,
  server: ServerView,
  snapshotId: string,
  confirm: boolean | undefined,
): Promise<{ jobId: string }> {
  requireVm(server)
  if (confirm !== true)
    throw new Problem(
      'confirmation_required',
      'Restoring replaces the present disks, firmware variables and TPM: send confirm as true',
    )
  return ctx.transaction(async (ctx) => {
    const { row, view } = await holdMachine(ctx, server)
    const snapshot = await store.lockSnapshot(ctx.db, row.id, snapshotId)
    if (!snapshot) throw notFound('snapshot')
    requireChangeable(view)
    if (snapshot.state !== 'ready')
      throw new Problem('invalid_state', 'The snapshot is not whole yet, or is being deleted')
    const job = await ctx.jobs.sagas.enqueue(
      ctx,
      restoreSnapshotSaga,
      { serverId: row.id, nodeId: row.nodeId, snapshotId },
      aboutServer(row, `Restore ${row.name} from ${snapshot.name}`),
    )
    await insertHold(ctx.db, row.id, 'restoring', snapshotId)
    await changeDesired(ctx, row, {})
    return { jobId: job.id }
  })
}

/** Deletes a copy; also while the machine runs. */
export async function deleteSnapshot(
  ctx: Ctx,
  server: ServerView,
  snapshotId: string,
): Promise<{ jobId: string }> {
  requireVm(server)
  return ctx.transaction(async (ctx) => {
    const { row, view } = await holdMachine(ctx, server)
    const snapshot = await store.lockSnapshot(ctx.db, row.id, snapshotId)
    if (!snapshot) throw notFound('snapshot')
    requireNode(view)
    if (snapshot.state === 'creating')
      throw new Problem('job_in_progress', 'The snapshot is being made: cancel that job instead')
    const job = await ctx.jobs.sagas.enqueue(
      ctx,
      deleteSnapshotSaga,
      { serverId: row.id, nodeId: row.nodeId, snapshotId },
      aboutServer(row, `Delete the snapshot ${snapshot.name}`),
    )
    await store.updateSnapshot(ctx.db, snapshotId, { state: 'deleting' })
    return { jobId: job.id }
  })
}
