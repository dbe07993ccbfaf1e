import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { invalid } from '../../http/input.ts'
import type { BackupAction, SharedServer } from '../servers/index.ts'
import { createBackup } from './create.ts'
import { restoreBackup } from './restore.ts'

/** Implements `backup` and `restore` of `POST /api/servers/{id}/actions`. */
export function actOnBackups(
  ctx: Ctx<User>,
  server: SharedServer,
  { action, backupId, ...asked }: BackupAction,
): Promise<{ jobId: string }> {
  if (action === 'backup') return createBackup(ctx, server, { force: asked.force })
  if (backupId === undefined)
    throw invalid([{ pointer: '/backupId', detail: 'is required to restore' }])
  return restoreBackup(ctx, server, backupId, asked)
}
