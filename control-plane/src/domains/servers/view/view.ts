import { serverStatus } from '@lodge/shared/server-status.ts'
import type { HoldKind, Server, ServerStatus } from '@lodge/shared/servers.ts'
import { and, desc, eq, ilike, lt, or, type SQL, sql } from 'drizzle-orm'
import { QueryBuilder } from 'drizzle-orm/pg-core'
import { batched } from '../../../db/batched.ts'
import { type Db, rowsAtMost } from '../../../db/database.ts'
import { likePattern } from '../../../db/like.ts'
import { prepared, preparedForKeys } from '../../../db/prepared.ts'
import { type InWords, timestampsAsText } from '../../../db/timestamps.ts'
import { users } from '../../customers/tables.ts'
import { nodeIsOnline } from '../../nodes/index.ts'
import { nodes } from '../../nodes/tables.ts'
import { templates } from '../../templates/tables.ts'
import { vmProfiles } from '../../virtualization/tables.ts'
import { machines } from '../machine/tables.ts'
import { serverHolds, serverPorts, servers, serverUsage } from '../tables.ts'
import { endedWell } from './ended-well-store.ts'

// Only what is displayed or checked: each extra column of a list costs more than all its checks.
const selected = {
  id: servers.id,
  metricKey: servers.metricKey,
  name: servers.name,
  icon: servers.icon,
  tags: servers.tags,
  kind: servers.kind,
  ownerId: servers.ownerId,
  templateId: servers.templateId,
  templateVersion: servers.templateVersion,
  nodeId: servers.nodeId,
  memoryMb: servers.memoryMb,
  cpuPercent: servers.cpuPercent,
  diskMb: servers.diskMb,
  desiredPower: servers.desiredPower,
  observedState: servers.observedState,
  observedAt: servers.observedAt,
  since: servers.since,
  failure: servers.failure,
  lastExit: servers.lastExit,
  restartAt: servers.restartAt,
  restartRequired: servers.restartRequired,
  installFailed: servers.installFailed,
  diskLimit: servers.diskLimit,
  deleteAt: servers.deleteAt,
  revision: servers.revision,
  createdAt: servers.createdAt,
  ownerEmail: users.email,
  // Containers skip the profile lookup.
  templateName: sql<string>`coalesce(${templates.name}, (select p.name from ${machines} m
    join ${vmProfiles} p on p.id = m.profile_id where m.server_id = ${servers.id}))`,
  templateIcon: templates.icon,
  latestVersion: templates.version,
  nodeName: nodes.name,
  location: nodes.location,
  address: sql<string | null>`coalesce(${nodes.address}, ${nodes.remoteAddress})`,
  nodeOnline: nodeIsOnline,
  nodeSeenAt: nodes.lastSeenAt,
  // Observations from before the node was offline, even for a reboot, may be out of date.
  isCurrent: sql<boolean>`(${nodes.inventoryTaken} or ${servers.observedAt} is null
    or coalesce(${servers.observedAt} >= ${nodes.connectedAt}, false))`,
  port: serverPorts.hostPort,
  usageAt: serverUsage.at,
  usageCpu: serverUsage.cpu,
  usageMemory: serverUsage.memory,
  usageMemoryOfNode: serverUsage.memoryOfNode,
  usageDisk: serverUsage.disk,
  usageRx: serverUsage.rx,
  usageTx: serverUsage.tx,
  holds: sql<{ kind: HoldKind; cause: string }[]>`coalesce((
    select json_agg(json_build_object('kind', h.kind, 'cause', h.cause) order by h.since)
    from ${serverHolds} h where h.server_id = ${servers.id}), '[]'::json)`,
}

const views = () =>
  new QueryBuilder()
    .select(selected)
    .from(servers)
    .innerJoin(users, eq(users.id, servers.ownerId))
    .innerJoin(nodes, eq(nodes.id, servers.nodeId))
    .leftJoin(templates, eq(templates.id, servers.templateId))
    .leftJoin(serverPorts, and(eq(serverPorts.serverId, servers.id), eq(serverPorts.offset, 0)))
    .leftJoin(serverUsage, eq(serverUsage.key, servers.metricKey))

/** Source of a server's list entry and page; timestamps are text, as in the API. */
export type ServerView = InWords<ReturnType<typeof views>['_']['result'][number]>
const fields = Object.keys(selected) as (keyof ServerView & string)[]
const placed = sql.placeholder

const viewsOf = preparedForKeys<ServerView>(
  fields,
  (ids) => views().where(sql`${servers.id} in (${ids})`),
  timestampsAsText,
)
const viewsOfNode = prepared<ServerView, { nodeId: string }>(
  fields,
  views().where(eq(servers.nodeId, placed('nodeId'))),
  timestampsAsText,
)
const oneView = prepared<ServerView, { id: string }>(
  fields,
  views().where(eq(servers.id, placed('id'))),
  timestampsAsText,
)

export const findViews = (db: Db, ids: readonly string[]) => viewsOf(db, ids)

export async function findView(db: Db, id: string): Promise<ServerView | undefined> {
  const [row] = await oneView(db, { id })
  return row
}

const loaders = new WeakMap<Db, (id: string) => Promise<ServerView | undefined>>()

/** Outside a transaction: concurrent requests for single servers share one query. */
export function loadView(db: Db, id: string): Promise<ServerView | undefined> {
  let load = loaders.get(db)
  if (!load) {
    load = batched(async (ids) => new Map((await findViews(db, ids)).map((row) => [row.id, row])))
    loaders.set(db, load)
  }
  return load(id)
}

export const findViewsOfNode = (db: Db, nodeId: string): Promise<ServerView[]> =>
  viewsOfNode(db, { nodeId })

export interface ServerFilter {
  readonly ownerId: string | undefined
  /** In addition to the owner's servers; undefined if only the owner counts. */
  readonly ids: readonly string[] | undefined
  /**
   * Servers this person owns or that are shared with them, read page by page; not combined with `q`
   * and `nodeId`.
   */
  readonly reachedBy?: string
  readonly nodeId: string | undefined
  readonly q: string | undefined
}

interface Page {
  readonly reachedBy: string | undefined
  readonly ownerId: string | undefined
  readonly ids: readonly string[] | undefined
  readonly nodeId: string | undefined
  readonly pattern: string | undefined
  readonly before: string | undefined
}

/**
 * Ids of one page of accessible servers: merges own and shared ones, each read through its own
 * index.
 */
function reached(continued: boolean, limit: number): SQL {
  const person = sql`${placed('reachedBy')}::uuid`
  const before = (column: string) =>
    continued ? sql` and ${sql.raw(column)} < ${placed('before')}::uuid` : sql``
  return sql`select id from (
    (select id from servers where owner_id = ${person}${before('id')}
      order by id desc ${rowsAtMost(limit)})
    union all
    (select server_id from server_collaborators where user_id = ${person}${before('server_id')}
      order by server_id desc ${rowsAtMost(limit)})) reached order by id desc ${rowsAtMost(limit)}`
}

/** A statement per set of conditions and page size, because each needs its own plan. */
const pages = new Map<string, (db: Db, given: Page) => Promise<ServerView[]>>()

function pageOf(given: Page, limit: number): (db: Db, given: Page) => Promise<ServerView[]> {
  const has = (name: keyof Page) => given[name] !== undefined
  const key = `${has('reachedBy')} ${has('ownerId')} ${has('ids')} ${has('nodeId')} ${has('pattern')} ${has('before')} ${limit}`
  const known = pages.get(key)
  if (known) return known
  const pattern = placed('pattern')
  const conditions = [
    has('reachedBy') && sql`${servers.id} = any(array(${reached(has('before'), limit)}))`,
    or(
      has('ownerId') ? eq(servers.ownerId, placed('ownerId')) : undefined,
      has('ids') ? sql`${servers.id} = any(${placed('ids')}::uuid[])` : undefined,
    ),
    has('nodeId') && eq(servers.nodeId, placed('nodeId')),
    has('pattern') && or(ilike(servers.name, pattern), ilike(users.email, pattern)),
    has('before') && lt(servers.id, placed('before')),
  ].filter((one) => one !== undefined && one !== false)
  const page = prepared<ServerView, Page>(
    fields,
    views()
      .where(and(...conditions))
      .orderBy(sql`${desc(servers.id)} ${rowsAtMost(limit)}`),
    timestampsAsText,
  )
  pages.set(key, page)
  return page
}

/** Newest first, after the id `before`. */
export function listViews(
  db: Db,
  { reachedBy, ownerId, nodeId, q, ...shared }: ServerFilter,
  before: string | undefined,
  limit: number,
): Promise<ServerView[]> {
  const pattern = q && `%${likePattern(q)}%`
  const ids = ownerId !== undefined && shared.ids?.length === 0 ? undefined : shared.ids
  const given = { reachedBy, ownerId, ids, nodeId, pattern: pattern || undefined, before }
  return pageOf(given, limit)(db, given)
}

export function statusOf(row: ServerView): ServerStatus {
  return serverStatus({
    desiredPower: row.desiredPower,
    observedState: row.observedState,
    restartPending: row.restartAt !== null,
    endedWell: endedWell(row),
    installFailed: row.installFailed,
    holds: row.holds.map((hold) => hold.kind),
    nodeSilent: !row.nodeOnline || !row.isCurrent,
  })
}

export function describeServer(row: ServerView): Server {
  return {
    id: row.id,
    name: row.name,
    icon: row.icon,
    tags: row.tags,
    kind: row.kind,
    ownerId: row.ownerId,
    ownerEmail: row.ownerEmail,
    templateId: row.templateId,
    templateName: row.templateName,
    templateIcon: row.templateIcon,
    templateVersion: row.templateVersion ?? 1,
    templateOutdated: (row.templateVersion ?? 1) < (row.latestVersion ?? 1),
    nodeId: row.nodeId,
    nodeName: row.nodeName,
    nodeOnline: row.nodeOnline,
    location: row.location,
    memoryMb: row.memoryMb,
    cpuPercent: row.cpuPercent,
    diskMb: row.diskMb,
    address: row.address,
    port: row.port,
    status: statusOf(row),
    observedState: row.observedState,
    observedAt: knownAt(row),
    since: row.since,
    desiredPower: row.desiredPower,
    holds: row.holds,
    restartRequired: row.restartRequired,
    restartAt: row.restartAt,
    failure: row.failure,
    lastExit: row.lastExit,
    diskLimit: row.diskLimit,
    deleteAt: row.deleteAt,
    usage: usageOf(row),
    revision: row.revision,
    createdAt: row.createdAt,
  }
}

/** A node reports only changes, so its last report stays valid as long as it is heard. */
function knownAt({ observedAt, nodeSeenAt, isCurrent }: ServerView): string | null {
  return isCurrent && observedAt && nodeSeenAt && nodeSeenAt > observedAt ? nodeSeenAt : observedAt
}

/** Figures of a server that is not running are out of date. */
function usageOf(row: ServerView): Server['usage'] {
  const runs = row.observedState === 'running' || row.observedState === 'starting'
  if (!runs || row.usageAt === null) return null
  return {
    at: row.usageAt,
    cpuPercent: row.usageCpu ?? 0,
    memoryBytes: row.usageMemory ?? 0,
    memoryOfNode: row.usageMemoryOfNode ?? false,
    diskBytes: row.usageDisk,
    networkRxBytesPerSecond: row.usageRx ?? 0,
    networkTxBytesPerSecond: row.usageTx ?? 0,
  }
}
