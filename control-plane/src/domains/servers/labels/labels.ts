import type { EditLabels, Server } from '@lodge/shared/servers.ts'
import type { Ctx } from '../../../context.ts'
import { notFound } from '../../../problem.ts'
import { editServer } from '../settings/resize.ts'
import { lockServer, updateServer } from '../store.ts'
import { describeServer, findView } from '../view/view.ts'

/**
 * Changes name, icon and tags. Only the name concerns the node, which passes it to the program; the
 * rest leaves the desired state unchanged.
 */
export async function editLabels(
  ctx: Ctx,
  id: string,
  { name, icon, tags }: EditLabels,
): Promise<Server> {
  return ctx.transaction(async (ctx) => {
    const row = await lockServer(ctx.db, id)
    if (!row) throw notFound('server')
    if (icon !== undefined || tags !== undefined) {
      await updateServer(ctx.db, id, {
        ...(icon === undefined ? {} : { icon }),
        ...(tags === undefined ? {} : { tags: [...new Set(tags)].sort() }),
      })
    }
    if (name !== undefined && name !== row.name) return editServer(ctx, id, { name })
    await ctx.live.announce(ctx.db, { kind: 'server', id })
    const view = await findView(ctx.db, id)
    if (!view) throw notFound('server')
    return describeServer(view)
  })
}
