import { randomUUIDv7 } from 'node:crypto'
import type { Ctx } from '../../../context.ts'
import { notFound, Problem } from '../../../problem.ts'
import { copiesOf, requireQuota } from '../../limits/index.ts'
import {
  bySaga,
  requireNode,
  requireOnNode,
  type ServerView,
  totalMb,
} from '../../servers/index.ts'
import { findProfile } from '../../virtualization/index.ts'
import { operateMachine, requireVm } from '../access.ts'
import { requireChangeable } from '../changeable.ts'
import * as store from '../store.ts'
import type { SnapshotRow } from '../tables.ts'
import {
  createSnapshotSaga,
  deleteSnapshotSaga,
  restoreSnapshotSaga,
  restoring,
  snapshotting,
} from './snapshot-sagas.ts'

/**
 * Snapshots a stopped machine. Only the node knows the size of the copy, so the job checks that
 * part of the limits after asking it.
 */
export async function createSnapshot(
  ctx: Ctx,
  server: ServerView,
  given: { name: string; force?: boolean | undefined },
): Promise<{ jobId: string; snapshotId: string }> {
  const snapshotId = randomUUIDv7()
  const { jobId } = await operateMachine(ctx, server, async (ctx, held) => {
    const { owner, row, machine, view } = held
    requireChangeable(view)
    // The limits count what a copy may take, which the node measures first.
    await requireOnNode(ctx, row, 'snapshots', 'diskUsage')
    const copies = await copiesOf(ctx.db, owner.id, row.id)
    await requireQuota(
      ctx,
      owner,
      () => [
        { key: 'maxServerBackups', used: copies.ofServer, requested: 1 },
        { key: 'maxBackups', used: copies.count, requested: 1 },
        // The size is unknown yet; at least refuse when nothing is left.
        { key: 'maxBackupStorageMb', used: copies.storageMb, requested: 1 },
      ],
      { force: given.force, of: row },
    )
    const profile = await findProfile(ctx.db, machine.profileId)
    await store.insertSnapshot(ctx.db, {
      id: snapshotId,
      serverId: row.id,
      name: given.name,
      state: 'creating',
      diskMb: totalMb(machine.disks),
      hasFirmware: profile?.hardware.firmware.kind === 'uefi',
      hasTpm: profile?.hardware.tpm ?? false,
    })
    const about = { serverId: row.id, nodeId: row.nodeId, snapshotId }
    return {
      title: `Take a snapshot of ${row.name}`,
      hold: snapshotting(snapshotId),
      work: bySaga(createSnapshotSaga, { ...about, force: given.force === true }),
    }
  })
  return { jobId, snapshotId }
}

/** Restores a stopped machine: disks, firmware variables and TPM. */
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
      'Restoring replaces the current disks, firmware variables and TPM: send confirm as true',
    )
  return operateMachine(ctx, server, async (ctx, { row, view }) => {
    const snapshot = await store.lockSnapshot(ctx.db, row.id, snapshotId)
    if (!snapshot) throw notFound('snapshot')
    requireChangeable(view)
    await requireOnNode(ctx, row, 'snapshots')
    requireHere(snapshot)
    if (snapshot.state !== 'ready')
      throw new Problem('invalid_state', 'The snapshot is not complete yet, or is being deleted')
    return {
      title: `Restore ${row.name} from ${snapshot.name}`,
      hold: restoring(snapshotId),
      work: bySaga(restoreSnapshotSaga, { serverId: row.id, nodeId: row.nodeId, snapshotId }),
    }
  })
}

/** @throws {Problem} invalid_state */
function requireHere({ state }: SnapshotRow): void {
  if (state === 'away')
    throw new Problem(
      'invalid_state',
      'The snapshot belongs to other files of the machine, which the host keeps: ask the host to have the machine take those',
    )
}

/** Deletes a snapshot, even while the machine runs. */
export async function deleteSnapshot(
  ctx: Ctx,
  server: ServerView,
  snapshotId: string,
): Promise<{ jobId: string }> {
  return operateMachine(ctx, server, async (ctx, { row, view }) => {
    const snapshot = await store.lockSnapshot(ctx.db, row.id, snapshotId)
    if (!snapshot) throw notFound('snapshot')
    requireNode(view)
    await requireOnNode(ctx, row, 'snapshots')
    requireHere(snapshot)
    if (snapshot.state === 'creating')
      throw new Problem('job_in_progress', 'The snapshot is being made: cancel that job instead')
    await store.updateSnapshot(ctx.db, snapshotId, { state: 'deleting' })
    return {
      title: `Delete the snapshot ${snapshot.name}`,
      work: bySaga(deleteSnapshotSaga, { serverId: row.id, nodeId: row.nodeId, snapshotId }),
    }
  })
}
