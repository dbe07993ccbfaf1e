import { parseFilter } from '@lodge/shared/lists/filter.ts'
import { SERVER_FIELDS, SERVER_SORTS } from '@lodge/shared/lists/servers.ts'
import { SERVER_STATUSES } from '@lodge/shared/server-status.ts'
import { type MarkedServer, ServerStatus } from '@lodge/shared/servers.ts'
import { z } from 'zod'
import { hasPermission, type User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { cutPage, decodeCursor, pageQuery } from '../../db/cursor.ts'
import { filterOf } from '../../db/filter.ts'
import { orderOf, positionIn, sortOf } from '../../db/ordered.ts'
import { sharedWith } from './access/store.ts'
import { describeMarked } from './labels/marks.ts'
import { listIds, SERVER_SORT_KEYS, type Whose } from './view/list-store.ts'
import { findViews, listViews, type ServerFilter, type ServerView } from './view/view.ts'

const wanted = {
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
  filter: filterOf(SERVER_FIELDS, 'state:running,crashed node:"rack 2" web'),
  sort: sortOf(SERVER_SORTS).optional(),
}

/** Filter and order of the list. */
export const ServersWanted = z.object(wanted)
export const ServerQuery = z.object({ ...pageQuery, ...wanted })

type Query = Omit<z.output<typeof ServerQuery>, 'limit'> & { readonly limit: number }

interface ServerPage {
  items: MarkedServer[]
  nextCursor: string | null
}

/** Servers the caller can access, by default the newest first. */
export async function listServers(ctx: Ctx<User>, asked: Query): Promise<ServerPage> {
  // A suspended account cannot use what others share.
  const query = ctx.actor.suspended ? { ...asked, relation: 'own' as const } : asked
  const { rows, nextCursor } =
    query.sort || query.filter || query.status
      ? await ordered(ctx, query)
      : await newest(ctx, query)
  return { items: await describeMarked(ctx, rows), nextCursor }
}

/** The most frequent query: a prepared statement. */
async function newest(ctx: Ctx<User>, query: Query) {
  const before = decodeCursor(query.after)?.[1]
  const filter = {
    ...(await reachable(ctx, query)),
    nodeId: query.nodeId,
    q: query.q,
  }
  const found = await listViews(ctx.db, filter, before, query.limit + 1)
  const { items, nextCursor } = cutPage(found, query.limit, (row) => ['', row.id])
  return { rows: items, nextCursor }
}

/** Any order and filter: first the ids of the page, then the rows. */
async function ordered(ctx: Ctx<User>, query: Query) {
  const order = orderOf(query.sort ?? '-created', SERVER_SORT_KEYS)
  const all = {
    whose: whose(ctx, query),
    nodeId: query.nodeId,
    status: query.status,
    q: query.q,
    terms: parseFilter(query.filter ?? '', SERVER_FIELDS),
    askerId: ctx.actor.id,
  }
  const found = await listIds(ctx.db, all, order, decodeCursor(query.after), query.limit + 1)
  const { items, nextCursor } = cutPage(found, query.limit, (row) => positionIn(order, row))
  const views = new Map(
    (
      await findViews(
        ctx.db,
        items.map(({ id }) => id),
      )
    ).map((row): [string, ServerView] => [row.id, row]),
  )
  // Servers deleted between the two statements are left out.
  return { rows: items.flatMap(({ id }) => views.get(id) ?? []), nextCursor }
}

function whose(ctx: Ctx<User>, query: Query): Whose | undefined {
  const me = ctx.actor.id
  if (query.relation === 'own') return { ownerId: me }
  if (query.relation === 'shared') return { sharedWith: me }
  if (!hasPermission(ctx.actor, 'servers.view')) return { ownerId: me, sharedWith: me }
  return query.ownerId === undefined ? undefined : { ownerId: query.ownerId }
}

/** Own and shared servers; hosts see every server unless the query restricts that. */
async function reachable(
  ctx: Ctx<User>,
  query: Query,
): Promise<Pick<ServerFilter, 'ownerId' | 'ids' | 'reachedBy'>> {
  if (query.relation === 'own') return { ownerId: ctx.actor.id, ids: [] }
  if (query.relation === 'shared')
    return { ownerId: undefined, ids: await sharedWith(ctx.db, ctx.actor.id) }
  if (hasPermission(ctx.actor, 'servers.view')) return { ownerId: query.ownerId, ids: undefined }
  if (query.q === undefined && query.nodeId === undefined)
    return { ownerId: undefined, ids: undefined, reachedBy: ctx.actor.id }
  return { ownerId: ctx.actor.id, ids: await sharedWith(ctx.db, ctx.actor.id) }
}
