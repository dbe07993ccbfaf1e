import { serverStatus } from '@lodge/shared/server-status.ts'
import type { HoldKind, Server, ServerStatus } from '@lodge/shared/servers.ts'
import { and, desc, eq, getTableColumns, ilike, inArray, lt, or, sql } from 'drizzle-orm'
import { type Db, rowsAtMost } from '../../db/database.ts'
import { users } from '../customers/tables.ts'
import { isOnline } from '../nodes/index.ts'
import { nodes } from '../nodes/tables.ts'
import { templates } from '../templates/tables.ts'
import { serverHolds, serverPorts, servers } from './tables.ts'

// The whole spec of every row would be most of a list's bytes, and no list shows it.
const { wishSpec: _unread, ...columns } = getTableColumns(servers)

const selected = {
  ...columns,
  ownerEmail: users.email,
  templateName: templates.name,
  latestVersion: templates.version,
  nodeName: nodes.name,
  location: nodes.location,
  address: sql<string | null>`coalesce(${nodes.address}, ${nodes.remoteAddress})`,
  nodeSessionId: nodes.sessionId,
  nodeSeenAt: nodes.lastSeenAt,
  port: serverPorts.hostPort,
  holds: sql<{ kind: HoldKind; cause: string }[]>`coalesce((
    select json_agg(json_build_object('kind', h.kind, 'cause', h.cause) order by h.since)
    from ${serverHolds} h where h.server_id = ${servers.id}), '[]'::json)`,
}

const from = (db: Db) =>
  db
    .select(selected)
    .from(servers)
    .innerJoin(users, eq(users.id, servers.ownerId))
    .innerJoin(nodes, eq(nodes.id, servers.nodeId))
    .innerJoin(templates, eq(templates.id, servers.templateId))
    .leftJoin(serverPorts, and(eq(serverPorts.serverId, servers.id), eq(serverPorts.offset, 0)))

export type ServerView = Awaited<ReturnType<typeof findViews>>[number]

export const findViews = (db: Db, ids: readonly string[]) =>
  from(db).where(inArray(servers.id, [...ids]))

export async function findView(db: Db, id: string): Promise<ServerView | undefined> {
  const [row] = await findViews(db, [id])
  return row
}

export const findViewsOfNode = (db: Db, nodeId: string): Promise<ServerView[]> =>
  from(db).where(eq(servers.nodeId, nodeId))

export interface ServerFilter {
  readonly ownerId: string | undefined
  /** Together with those of the owner; undefined leaves the choice to the owner alone. */
  readonly ids: readonly string[] | undefined
  readonly nodeId: string | undefined
  readonly q: string | undefined
  readonly status: readonly ServerStatus[] | undefined
}

/** Newest first, from the id `before` on. */
export function listViews(
  db: Db,
  filter: ServerFilter,
  before: string | undefined,
  limit: number,
): Promise<ServerView[]> {
  const pattern = filter.q && `%${filter.q.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`
  return from(db)
    .where(
      and(
        whose(filter),
        filter.nodeId ? eq(servers.nodeId, filter.nodeId) : undefined,
        pattern ? or(ilike(servers.name, pattern), ilike(users.email, pattern)) : undefined,
        before ? lt(servers.id, before) : undefined,
      ),
    )
    .orderBy(sql`${desc(servers.id)} ${rowsAtMost(limit)}`)
}

function whose({ ownerId, ids }: Pick<ServerFilter, 'ownerId' | 'ids'>) {
  const own = ownerId === undefined ? undefined : eq(servers.ownerId, ownerId)
  if (ids === undefined || (own && ids.length === 0)) return own
  return or(own, sql`${servers.id} = any(${sql.param([...ids])}::uuid[])`)
}

export function statusOf(row: ServerView): ServerStatus {
  return serverStatus({
    wishedPower: row.wishPower,
    observedState: row.observedState,
    restartPending: row.restartAt !== null,
    installFailed: row.installFailed,
    holds: row.holds.map((hold) => hold.kind),
    nodeSilent: !nodeOnline(row),
  })
}

export const nodeOnline = (row: ServerView): boolean =>
  isOnline({ sessionId: row.nodeSessionId, lastSeenAt: row.nodeSeenAt })

export function describeServer(row: ServerView): Server {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    ownerId: row.ownerId,
    ownerEmail: row.ownerEmail,
    templateId: row.templateId,
    templateName: row.templateName,
    templateVersion: row.templateVersion,
    templateOutdated: row.templateVersion < row.latestVersion,
    nodeId: row.nodeId,
    nodeName: row.nodeName,
    nodeOnline: nodeOnline(row),
    location: row.location,
    memoryMb: row.memoryMb,
    cpuPercent: row.cpuPercent,
    diskMb: row.diskMb,
    address: row.address,
    port: row.port,
    status: statusOf(row),
    observedState: row.observedState,
    observedAt: row.observedAt?.toISOString() ?? null,
    since: row.since?.toISOString() ?? null,
    wishedPower: row.wishPower,
    holds: row.holds,
    restartRequired: row.restartRequired,
    restartAt: row.restartAt?.toISOString() ?? null,
    failure: row.failure,
    lastExit: row.lastExit,
    diskLimit: row.diskLimit,
    deleteAt: row.deleteAt?.toISOString() ?? null,
    usage: row.observedState === 'running' || row.observedState === 'starting' ? row.usage : null,
    revision: row.revision,
    createdAt: row.createdAt.toISOString(),
  }
}
