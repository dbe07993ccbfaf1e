import { SERVER_STATUSES } from '@lodge/shared/server-status.ts'
import { type Server, ServerStatus } from '@lodge/shared/servers.ts'
import { z } from 'zod'
import { hasPermission, type User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { decodeCursor, encodeCursor, pageQuery } from '../../db/cursor.ts'
import { sharedWith } from './access/store.ts'
import { describeServer, listViews, type ServerFilter, statusOf } from './view/view.ts'

export const ServerQuery = z.object({
  ...pageQuery,
  q: z.string().trim().max(100).optional(),
  nodeId: z.uuid().optional(),
  ownerId: z.uuid().optional(),
  /** The caller's own servers, or those shared with them. */
  relation: z.enum(['own', 'shared']).optional(),
  /** One or more statuses, separated by commas. */
  status: z
    .string()
    .max(300)
    .transform((text) => text.split(','))
    .pipe(z.array(ServerStatus).max(SERVER_STATUSES.length))
    .optional(),
})

const ROUNDS = 20

/**
 * Servers the caller can access, newest first. The displayed status is computed, so the filter runs
 * here, page by page.
 */
export async function listServers(
  ctx: Ctx<User>,
  query: z.output<typeof ServerQuery>,
): Promise<{ items: Server[]; nextCursor: string | null }> {
  const all = hasPermission(ctx.actor, 'servers.view')
  const filter = {
    ...(await whose(ctx, query, all)),
    nodeId: query.nodeId,
    q: query.q,
    status: query.status,
  }
  const items: Server[] = []
  let before = decodeCursor(query.after)?.[1]
  for (let round = 0; round < ROUNDS; round++) {
    const rows = await listViews(ctx.db, filter, before, query.limit + 1)
    const page = rows.slice(0, query.limit)
    for (const row of page) {
      if (items.length === query.limit) return { items, nextCursor: cursorAt(before) }
      before = row.id
      if (!query.status || query.status.includes(statusOf(row))) items.push(describeServer(row))
    }
    if (rows.length <= query.limit) return { items, nextCursor: null }
    if (items.length === query.limit) break
  }
  return { items, nextCursor: cursorAt(before) }
}

/** Own and shared servers; hosts see every server unless they ask for fewer. */
async function whose(
  ctx: Ctx<User>,
  query: z.output<typeof ServerQuery>,
  all: boolean,
): Promise<Pick<ServerFilter, 'ownerId' | 'ids' | 'reachedBy'>> {
  if (query.relation === 'own') return { ownerId: ctx.actor.id, ids: [] }
  if (query.relation === 'shared')
    return { ownerId: undefined, ids: await sharedWith(ctx.db, ctx.actor.id) }
  if (all) return { ownerId: query.ownerId, ids: undefined }
  if (query.q === undefined && query.nodeId === undefined)
    return { ownerId: undefined, ids: undefined, reachedBy: ctx.actor.id }
  return { ownerId: ctx.actor.id, ids: await sharedWith(ctx.db, ctx.actor.id) }
}

const cursorAt = (id: string | undefined): string | null =>
  id === undefined ? null : encodeCursor(['', id])
