import { createHash } from 'node:crypto'
import { serverStatus } from '@lodge/shared/server-status.ts'
import { Server } from '@lodge/shared/servers.ts'
import Fastify from 'fastify'
import pg from 'pg'
import { z } from 'zod'

/**
 * The limit of the list of servers: fastify, pg, one named statement for the session and one for the
 * page, a compiled schema for the answer, and nothing else.
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

const page = (owned: boolean, limit: number) => `
  select s.id, s.name, s.kind, s.owner_id, u.email, s.template_id, t.name as template_name,
    s.template_version, t.version, s.node_id, n.name as node_name, n.location, s.memory_mb,
    s.cpu_percent, s.disk_mb, coalesce(n.address, n.remote_address) as address, p.host_port,
    s.observed_state, s.observed_at, s.since, s.wish_power, s.restart_required, s.restart_at, s.failure,
    s.last_exit, s.disk_limit, s.delete_at, f.at as used_at, f.cpu, f.memory, f.disk, f.rx, f.tx, s.revision, s.created_at, s.install_failed,
    n.session_id, n.last_seen_at,
    coalesce((select json_agg(json_build_object('kind', h.kind, 'cause', h.cause) order by h.since)
      from server_holds h where h.server_id = s.id), '[]'::json) as holds
  from servers s join users u on u.id = s.owner_id join nodes n on n.id = s.node_id
    join templates t on t.id = s.template_id
    left join server_ports p on p.server_id = s.id and p."offset" = 0
    left join server_usage f on f.key = s.metric_key
  ${owned ? 'where s.owner_id = $1' : ''} order by s.id desc limit ${limit}`

const moment = (at: Date | null) => at?.toISOString() ?? null

// biome-ignore lint/suspicious/noExplicitAny: rows of the two statements above
function describe(row: any): Server {
  const nodeOnline =
    row.session_id !== null && row.last_seen_at && Date.now() - row.last_seen_at.getTime() < 16_000
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    ownerId: row.owner_id,
    ownerEmail: row.email,
    templateId: row.template_id,
    templateName: row.template_name,
    templateVersion: row.template_version,
    templateOutdated: row.template_version < row.version,
    nodeId: row.node_id,
    nodeName: row.node_name,
    nodeOnline,
    location: row.location,
    memoryMb: row.memory_mb,
    cpuPercent: row.cpu_percent,
    diskMb: row.disk_mb,
    address: row.address,
    port: row.host_port,
    status: serverStatus({
      wishedPower: row.wish_power,
      observedState: row.observed_state,
      restartPending: row.restart_at !== null,
      installFailed: row.install_failed,
      holds: row.holds.map((hold: { kind: string }) => hold.kind),
      nodeSilent: !nodeOnline,
    }),
    observedState: row.observed_state,
    observedAt: moment(row.observed_at),
    since: moment(row.since),
    wishedPower: row.wish_power,
    holds: row.holds,
    restartRequired: row.restart_required,
    restartAt: moment(row.restart_at),
    failure: row.failure,
    lastExit: row.last_exit,
    diskLimit: row.disk_limit,
    deleteAt: moment(row.delete_at),
    usage:
      row.observed_state === 'running' && row.used_at
        ? {
            at: row.used_at.toISOString(),
            cpuPercent: row.cpu,
            memoryBytes: row.memory,
            diskBytes: row.disk,
            networkRxBytesPerSecond: row.rx,
            networkTxBytesPerSecond: row.tx,
          }
        : null,
    revision: row.revision,
    createdAt: row.created_at.toISOString(),
  }
}

const reply = z.object({ items: z.array(Server), nextCursor: z.string().nullable() })
const schema: object = { response: { 200: z.toJSONSchema(reply, { target: 'draft-7' }) } }
const app = Fastify()
app.get<{ Querystring: { limit?: string } }>('/hello', async () => ({ hello: 'world' }))
app.get<{ Querystring: { limit?: string } }>(
  '/api/servers',
  { schema },
  async (request, response) => {
    const token = /panel_session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
    const hash = createHash('sha256').update(token).digest()
    const [user] = (await pool.query({ name: 'session', text: session, values: [hash] })).rows
    if (!user) return response.code(401).send()
    const limit = Number(request.query.limit ?? 50)
    const owned = user.role !== 'admin'
    const { rows } = await pool.query({
      name: `${owned ? 'own' : 'all'} ${limit}`,
      text: page(owned, limit + 1),
      values: owned ? [user.id] : [],
    })
    const items = rows.slice(0, limit).map(describe)
    const last = items.at(-1)
    const more = rows.length > limit && last
    return {
      items,
      nextCursor: more ? Buffer.from(JSON.stringify(['', last.id])).toString('base64url') : null,
    }
  },
)
const address = await app.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ port: Number(new URL(address).port) }))
process.on('SIGTERM', () => process.exit(0))
