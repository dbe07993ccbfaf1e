import type { ServerNotes } from '@lodge/shared/server-labels.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { notFound } from '../../../problem.ts'
import { lockServer, updateServer } from '../store.ts'
import { findNotes, putNotes } from './note-store.ts'

const NONE: ServerNotes = { text: '', changedAt: null, changedBy: null }

export const showNotes = async (ctx: Ctx, serverId: string): Promise<ServerNotes> =>
  (await findNotes(ctx.db, serverId)) ?? NONE

/** Replaces the notes; everybody who has the server open sees the new ones. */
export async function changeNotes(
  ctx: Ctx<User>,
  serverId: string,
  text: string,
): Promise<ServerNotes> {
  return ctx.transaction(async (ctx) => {
    if (!(await lockServer(ctx.db, serverId))) throw notFound('server')
    await putNotes(ctx.db, serverId, text, ctx.actor.id)
    // A new revision makes open panels fetch the notes again.
    await updateServer(ctx.db, serverId, {})
    await ctx.live.announce(ctx.db, { kind: 'server', id: serverId })
    return showNotes(ctx, serverId)
  })
}
