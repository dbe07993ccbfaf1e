import type { Actor } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { notFound, Problem } from '../../problem.ts'
import { bySaga, operate, type ServerView } from '../servers/index.ts'
import { requireReader } from './reader.ts'
import { lockBackup } from './store.ts'
import { verifyBackupSaga } from './verify-saga.ts'

/** Begins to read a backup back, which changes neither the server nor the backup. */
export function verifyBackup(
  ctx: Ctx<Actor>,
  server: Pick<ServerView, 'id' | 'ownerId'>,
  backupId: string,
): Promise<{ jobId: string }> {
  return operate(ctx, server, async (ctx, { row }) => {
    const backup = await lockBackup(ctx.db, row.id, backupId)
    if (!backup) throw notFound('backup')
    const { state, snapshotId, sizeBytes, repositoryId } = backup
    if (state !== 'good' || snapshotId === null || sizeBytes === null)
      throw new Problem('backup_incomplete', 'Only a complete backup can be verified')
    const node = await requireReader(ctx.db, backupId)
    return {
      title: `Verify ${backup.name} of ${row.name}`,
      work: bySaga(verifyBackupSaga, {
        ...{ serverId: row.id, nodeId: node.id, repositoryId },
        ...{ backupId, snapshotId, sizeBytes },
      }),
    }
  })
}
