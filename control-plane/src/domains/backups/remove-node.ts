import { formatBytes } from '@lodge/shared/units.ts'
import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import type { NodeRow } from '../nodes/index.ts'
import { readSettings } from '../settings/index.ts'
import { keptOnNode, leaveNode } from './orphan-store.ts'
import { backupSettings } from './settings.ts'

/**
 * Backups that a node made elsewhere survive it. Those that it stores are lost, which has to be
 * confirmed.
 * @throws {Problem} in_use, confirmation_required
 */
export async function removeNodeFromBackups(
  ctx: Ctx,
  { id, name }: Pick<NodeRow, 'id' | 'name'>,
  confirmed: boolean,
): Promise<void> {
  const { storageNodeIds } = await readSettings(ctx.db, backupSettings)
  if (storageNodeIds.includes(id))
    throw new Problem(
      'in_use',
      `${name} is to keep backups of other nodes: choose another node in the settings of backups first`,
    )
  const { backups, servers, storedBytes } = await keptOnNode(ctx.db, id)
  if (backups > 0 && !confirmed)
    throw new Problem(
      'confirmation_required',
      `${name} keeps ${backups} backups of ${servers} servers (${formatBytes(storedBytes)}), which are lost with it: send confirm as true to remove it nevertheless`,
    )
  await leaveNode(ctx.db, id)
}
