import type { Actor } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { notFound, Problem } from '../../problem.ts'
import { findNode } from '../nodes/index.ts'
import { bySaga, operate, requireNode, type ServerView } from '../servers/index.ts'
import { whyNoReadBack } from './agent-version.ts'
import { lockBackup } from './store.ts'
import { verifyBackupSaga } from './verify-saga.ts'
import { readerOf } from './verify-store.ts'

/** Begins to read a backup back, which changes neither the server nor the backup. */
export function verifyBackup(
  ctx: Ctx<Actor>,
  server: Pick<ServerView, 'id' | 'ownerId'>,
  backupId: string,
): Promise<{ jobId: string }> {
  return operate(ctx, server, async (ctx, { row, view }) => {
    const backup = await lockBackup(ctx.db, row.id, backupId)
    if (!backup) throw notFound('backup')
    const { state, snapshotId, sizeBytes, repositoryId } = backup
    if (state !== 'good' || snapshotId === null || sizeBytes === null)
      throw new Problem('backup_incomplete', 'Only a complete backup can be verified')
    const nodeId = await readerOf(ctx.db, backupId)
    const node = nodeId === null ? undefined : await findNode(ctx.db, nodeId)
    if (!node)
      throw new Problem(
        'node_unavailable',
        'No connected node can read the backup now: try again once the node that keeps it is connected',
      )
    if (node.id === row.nodeId) requireNode(view)
    const tooOld = await whyNoReadBack(ctx.db, node.id)
    if (tooOld !== null)
      throw new Problem('unsupported_on_node', tooOld, { fields: { missing: ['backups'] } })
    return {
      title: `Verify ${backup.name} of ${row.name}`,
      work: bySaga(verifyBackupSaga, {
        ...{ serverId: row.id, nodeId: node.id, repositoryId },
        ...{ backupId, snapshotId, sizeBytes },
      }),
    }
  })
}
