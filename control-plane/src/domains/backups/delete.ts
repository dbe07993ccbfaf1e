import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { type StepTools, saga } from '../../jobs/sagas/saga.ts'
import { notFound, Problem } from '../../problem.ts'
import { bySaga, operate, type ServerView } from '../servers/index.ts'
import { requireOwnBackup } from './host-made.ts'
import { adoptRepository } from './orphan-store.ts'
import { findBackup, findRepository, lockBackup, updateBackup } from './store.ts'
import { dropForgotten } from './tidy-store.ts'
import { backupOnNode } from './work.ts'

const About = z.object({
  serverId: z.uuid(),
  nodeId: z.uuid(),
  repositoryId: z.uuid(),
  backupId: z.uuid(),
})
type About = z.infer<typeof About>

/** Deletes a backup; the space is freed when the repository is not in use. */
export const deleteBackupSaga = saga('backup.delete', About).step('Delete', {
  do: (about, tools) => forgetBackup(about, tools),
  // A backup that could not be deleted still exists.
  async undo({ serverId, backupId }, { ctx }) {
    await ctx.transaction(async ({ db, live }) => {
      const row = await findBackup(db, backupId)
      if (row?.state !== 'deleting') return
      await updateBackup(db, backupId, { state: row.snapshotId ? 'good' : 'failed' })
      await live.announce(db, { kind: 'backups', id: serverId })
    })
  },
})

/** Deletes the data of a backup whose deletion has begun. Idempotent. */
export async function forgetBackup(
  about: About,
  tools: StepTools,
  { always = false }: { readonly always?: boolean } = {},
): Promise<void> {
  const { backupId } = about
  if (!(await findBackup(tools.ctx.db, backupId))) return
  await backupOnNode(tools, {
    ...about,
    name: 'forget',
    work: { do: 'forget', backupIds: [backupId] },
    always,
  })
  await tools.ctx.transaction(async ({ db, live }) => {
    await dropForgotten(db, [backupId])
    await live.announce(db, { kind: 'backups', id: about.serverId })
  })
}

/** Begins the deletion of a backup, which counts for limits until it is gone. */
export function deleteBackup(ctx: Ctx, server: ServerView, id: string): Promise<{ jobId: string }> {
  return operate(ctx, server, async (ctx, { row }) => {
    const backup = await lockBackup(ctx.db, row.id, id)
    const repository = backup && (await findRepository(ctx.db, backup.repositoryId))
    if (!backup || !repository) throw notFound('backup')
    requireOwnBackup(ctx, backup)
    if (backup.state === 'creating')
      throw new Problem('job_in_progress', 'The backup is being made: cancel that job instead')
    if (backup.locked)
      throw new Problem('backup_locked', 'The backup is locked: unlock it before you delete it')
    // Only the node that made it writes to the repository, or the one that took the repository over.
    const nodeId = repository.nodeId ?? (await adoptRepository(ctx.db, repository.id, row.nodeId))
    if (nodeId === undefined)
      throw new Problem('node_unavailable', 'No connected node can delete the backup now')
    await updateBackup(ctx.db, id, { state: 'deleting' })
    await ctx.live.announce(ctx.db, { kind: 'backups', id: row.id })
    const about = {
      serverId: row.id,
      nodeId,
      repositoryId: repository.id,
      backupId: id,
    }
    return {
      title: `Delete the backup ${backup.name}`,
      work: bySaga(deleteBackupSaga, about),
    }
  })
}
