import type { Backup, EditBackup } from '@lodge/shared/backups.ts'
import type { Ctx } from '../../context.ts'
import { notFound, Problem } from '../../problem.ts'
import type { ServerView } from '../servers/index.ts'
import { describeBackup } from './describe.ts'
import { requireOwnBackup } from './host-made.ts'
import { findListed, lockBackup, updateBackup } from './store.ts'

/** Renames, locks or unlocks a backup. */
export function editBackup(
  ctx: Ctx,
  server: ServerView,
  id: string,
  { name, locked }: EditBackup,
): Promise<Backup> {
  return ctx.transaction(async (ctx) => {
    const row = await lockBackup(ctx.db, server.id, id)
    if (!row) throw notFound('backup')
    requireOwnBackup(ctx, row)
    if (row.state === 'deleting')
      throw new Problem('backup_incomplete', 'The backup is being deleted')
    if (locked && row.state === 'failed')
      throw new Problem('backup_incomplete', 'A failed backup holds nothing that could be locked')
    await updateBackup(ctx.db, id, {
      name: name ?? row.name,
      locked: locked ?? row.locked,
    })
    await ctx.live.announce(ctx.db, { kind: 'backups', id: server.id })
    const changed = await findListed(ctx.db, server.id, id)
    if (!changed) throw notFound('backup')
    return describeBackup(changed)
  })
}
