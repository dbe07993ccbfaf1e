import type { ChangeMark, ServerMark } from '@lodge/shared/server-labels.ts'
import type { MarkedServer, ShownServer } from '@lodge/shared/servers.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import type { Db } from '../../../db/database.ts'
import type { Loaded } from '../../../live/live-events.ts'
import { storageOf } from '../storage-store.ts'
import { describeServer, type ServerView } from '../view/view.ts'
import { changeMark, findMarks } from './mark-store.ts'

const UNMARKED: ServerMark = { folder: null, favourite: false }

/** Servers as the caller sees them in their own list. */
export async function describeMarked(
  ctx: Ctx<User>,
  rows: readonly ServerView[],
): Promise<MarkedServer[]> {
  const marks = await findMarks(
    ctx.db,
    ctx.actor.id,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...describeServer(row), ...(marks.get(row.id) ?? UNMARKED) }))
}

/** One of them, with where its files lie. */
export async function showServer(ctx: Ctx<User>, row: ServerView): Promise<ShownServer> {
  const [marks, storage] = await Promise.all([
    findMarks(ctx.db, ctx.actor.id, [row.id]),
    storageOf(ctx.db, row.id),
  ])
  return { ...describeServer(row), ...(marks.get(row.id) ?? UNMARKED), storage }
}

/** Puts a server into a folder of the caller, or among their favourites, or takes it out. */
export async function markServer(
  ctx: Ctx<User>,
  serverId: string,
  change: ChangeMark,
): Promise<ServerMark> {
  return ctx.transaction(async (ctx) => {
    const mark = await changeMark(ctx.db, ctx.actor.id, serverId, change)
    await ctx.live.announce(ctx.db, { kind: 'server-mark', id: `${serverId}:${ctx.actor.id}` })
    return mark
  })
}

/** A changed mark, for the other panels of the same person. */
export async function changedMark(db: Db, id: string): Promise<Loaded[]> {
  const [serverId = '', userId = ''] = id.split(':')
  const mark = (await findMarks(db, userId, [serverId])).get(serverId) ?? UNMARKED
  return [{ event: 'server-mark', data: { serverId, ...mark }, audience: { userIds: [userId] } }]
}
