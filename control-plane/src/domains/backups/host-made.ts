import { hasPermission } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import type { BackupRow } from './tables.ts'

/**
 * The host's backups count for no limit of the owner, so only the host keeps or deletes them.
 * @throws {Problem} permission_required
 */
export function requireOwnBackup(
  { actor }: Pick<Ctx, 'actor'>,
  { byHost }: Pick<BackupRow, 'byHost'>,
): void {
  if (!byHost || (actor.kind === 'user' && hasPermission(actor, 'servers.backups'))) return
  throw new Problem(
    'permission_required',
    'The host made this backup against the loss of a node, and keeps or deletes it by itself',
    { fields: { permission: 'servers.backups' } },
  )
}
