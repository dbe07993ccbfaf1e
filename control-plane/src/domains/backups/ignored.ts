import type { EditIgnored, IgnoredFiles } from '@lodge/shared/backups.ts'
import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import type { ServerRow, ServerView } from '../servers/index.ts'
import { findTemplate } from '../templates/index.ts'
import { dropIgnored, findIgnored, putIgnored } from './ignore-store.ts'

type About = Pick<ServerRow, 'id' | 'kind' | 'templateId'>

/**
 * The patterns that backups of a server leave out: those set for it, otherwise those of its template.
 */
export async function ignoredOf({ db }: Pick<Ctx, 'db'>, server: About): Promise<IgnoredFiles> {
  // A backup of a machine contains disks.
  if (server.kind === 'vm') return { patterns: [], byServer: false, template: [] }
  const chosen = await findIgnored(db, server.id)
  const found = server.templateId ? await findTemplate(db, server.templateId) : undefined
  const template = found?.document.backupIgnore ?? []
  return { patterns: [...(chosen ?? template)], byServer: chosen !== undefined, template }
}

/** Sets the patterns that backups of a server leave out from now on; null: those of its template. */
export function changeIgnored(
  ctx: Ctx,
  server: ServerView & About,
  { patterns }: EditIgnored,
): Promise<IgnoredFiles> {
  if (server.kind === 'vm')
    throw new Problem(
      'invalid_state',
      'A backup of a virtual machine contains disks, of which nothing can be left out',
    )
  return ctx.transaction(async (ctx) => {
    if (patterns === null) await dropIgnored(ctx.db, server.id)
    else await putIgnored(ctx.db, server.id, [...new Set(patterns)])
    await ctx.live.announce(ctx.db, { kind: 'backups', id: server.id })
    return ignoredOf(ctx, server)
  })
}
