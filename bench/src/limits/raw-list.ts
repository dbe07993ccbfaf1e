import { createHash } from 'node:crypto'
import { serverStatus } from '@lodge/shared/server-status.ts'
import { MarkedServer } from '@lodge/shared/servers.ts'
import Fastify from 'fastify'
import pg from 'pg'
import { z } from 'zod'

/**
 * The limit of the list of servers: fastify, pg, one named statement for the session and one for
 * the page, a compiled response schema, and nothing else.
 */

pg.types.setTypeParser(20, Number)
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 12,
  application_name: 'raw',
})

const session = `select s.id as session_id, u.id, u.role, u.super_admin, u.permissions
  from sessions s join users u on u.id = s.user_id
  where s.token_hash = $1 and s.expires_at > now()
    and s.last_seen_at > now() - make_interval(hours => case when u.role = 'admin' then 12 else 168 end)`

/** The columns of the session statement that are used here. */
interface Caller {
  id: string
  role: string
}

const page = (owned: boolean, limit: number) => `
  select s.id, s.name, s.icon, s.tags, m.folder, coalesce(m.favourite, false) as favourite, s.kind, s.owner_id as "ownerId", u.email as "ownerEmail",
    s.template_id as "templateId", t.name as "templateName",
    t.icon as "templateIcon",
    s.template_version as "templateVersion", s.template_version < t.version as "templateOutdated",
    s.node_id as "nodeId", n.name as "nodeName", n.location, s.memory_mb as "memoryMb",
    s.cpu_percent as "cpuPercent", s.disk_mb as "diskMb",
    coalesce(n.address, n.remote_address) as address, p.host_port as port,
    s.observed_state as "observedState", s.observed_at as "observedAt", s.since,
    s.desired_power as "desiredPower", s.restart_required as "restartRequired",
    s.restart_at as "restartAt", s.failure, s.last_exit as "lastExit",
    s.disk_limit as "diskLimit", s.delete_at as "deleteAt", s.revision,
    s.created_at as "createdAt", s.install_failed as "installFailed",
    n.session_id as "sessionId", n.last_seen_at as "lastSeenAt",
    f.at as "usedAt", f.cpu, f.memory, f.memory_of_node as "memoryOfNode", f.disk, f.rx, f.tx,
    coalesce((select json_agg(json_build_object('kind', h.kind, 'cause', h.cause) order by h.since)
      from server_holds h where h.server_id = s.id), '[]'::json) as holds
  from servers s join users u on u.id = s.owner_id join nodes n on n.id = s.node_id
    join templates t on t.id = s.template_id
    left join server_ports p on p.server_id = s.id and p."offset" = 0
    left join server_usage f on f.key = s.metric_key
    left join server_marks m on m.server_id = s.id and m.user_id = $1
  ${owned ? 'where s.owner_id = $1' : ''} order by s.id desc limit ${limit}`

type Moment = 'observedAt' | 'since' | 'restartAt' | 'deleteAt'

/**
 * A row of the page: a server's fields with times as dates, and the columns that the others are
 * computed from.
 */
type Row = Omit<MarkedServer, Moment | 'createdAt' | 'nodeOnline' | 'status' | 'usage'> &
  Record<Moment | 'lastSeenAt' | 'usedAt', Date | null> & {
    createdAt: Date
    installFailed: boolean
    sessionId: string | null
    cpu: number
    memory: number
    memoryOfNode: boolean
    disk: number | null
    rx: number
    tx: number
  }

const written = (at: Date | null) => at?.toISOString() ?? null

/** Written out: spreading such a wide row costs more than the rest of the response. */
function describe(row: Row): MarkedServer {
  const nodeOnline =
    row.sessionId !== null &&
    row.lastSeenAt !== null &&
    Date.now() - row.lastSeenAt.getTime() < 16_000
  return {
    id: row.id,
    name: row.name,
    icon: row.icon,
    tags: row.tags,
    folder: row.folder,
    favourite: row.favourite,
    kind: row.kind,
    ownerId: row.ownerId,
    ownerEmail: row.ownerEmail,
    templateId: row.templateId,
    templateName: row.templateName,
    templateIcon: row.templateIcon,
    templateVersion: row.templateVersion,
    templateOutdated: row.templateOutdated,
    nodeId: row.nodeId,
    nodeName: row.nodeName,
    nodeOnline,
    location: row.location,
    memoryMb: row.memoryMb,
    cpuPercent: row.cpuPercent,
    diskMb: row.diskMb,
    address: row.address,
    port: row.port,
    status: serverStatus({
      desiredPower: row.desiredPower,
      observedState: row.observedState,
      restartPending: row.restartAt !== null,
      endedWell: row.failure === null && row.lastExit?.code === 0,
      installFailed: row.installFailed,
      holds: row.holds.map(({ kind }) => kind),
      nodeSilent: !nodeOnline,
    }),
    observedState: row.observedState,
    observedAt: written(row.observedAt),
    since: written(row.since),
    desiredPower: row.desiredPower,
    holds: row.holds,
    restartRequired: row.restartRequired,
    restartAt: written(row.restartAt),
    failure: row.failure,
    lastExit: row.lastExit,
    diskLimit: row.diskLimit,
    deleteAt: written(row.deleteAt),
    usage:
      row.observedState === 'running' && row.usedAt
        ? {
            at: row.usedAt.toISOString(),
            cpuPercent: row.cpu,
            memoryBytes: row.memory,
            memoryOfNode: row.memoryOfNode,
            diskBytes: row.disk,
            networkRxBytesPerSecond: row.rx,
            networkTxBytesPerSecond: row.tx,
          }
        : null,
    revision: row.revision,
    createdAt: row.createdAt.toISOString(),
  }
}

const reply = z.object({ items: z.array(MarkedServer), nextCursor: z.string().nullable() })
const schema: object = { response: { 200: z.toJSONSchema(reply, { target: 'draft-7' }) } }
const app = Fastify()
app.get<{ Querystring: { limit?: string } }>('/hello', async () => ({ hello: 'world' }))
app.get<{ Querystring: { limit?: string } }>(
  '/api/servers',
  { schema },
  async (request, response) => {
    const token = /panel_session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
    const hash = createHash('sha256').update(token).digest()
    const { rows: users } = await pool.query<Caller>({
      name: 'session',
      text: session,
      values: [hash],
    })
    const [user] = users
    if (!user) return response.code(401).send()
    const limit = Number(request.query.limit ?? 50)
    const owned = user.role !== 'admin'
    const { rows } = await pool.query<Row>({
      name: `${owned ? 'own' : 'all'} ${limit}`,
      text: page(owned, limit + 1),
      values: [user.id],
    })
    const items = rows.slice(0, limit).map(describe)
    const last = items.at(-1)
    const more = rows.length > limit ? last : undefined
    return {
      items,
      nextCursor: more ? Buffer.from(JSON.stringify(['', more.id])).toString('base64url') : null,
    }
  },
)
const address = await app.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ port: Number(new URL(address).port) }))
process.on('SIGTERM', () => process.exit(0))
