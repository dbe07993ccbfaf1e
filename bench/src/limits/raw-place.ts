import { createHash, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'

/**
 * The limit of a placement: its writes in one transaction of named statements, without any rules,
 * input checks or response beyond the ids.
 */

pg.types.setTypeParser(20, Number)
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 12,
  application_name: 'raw',
})

const session = `select s.id as session_id, u.id, u.role from sessions s join users u on u.id = s.user_id
  where s.token_hash = $1 and s.expires_at > now()`
const owner = 'select * from users where id = $1 for no key update'
const template = 'select * from templates where id = $1'
const standing = `select (select json_agg(t) from settings t) as settings, count(*)::int as servers,
    sum(memory_mb)::int8 as memory, sum(cpu_percent)::int8 as cpu, sum(disk_mb)::int8 as disk
  from servers where owner_id = $1`
const fits = `not cordoned and credential_hash is not null
  and allocated_memory_mb + $1::int <= memory_mb - headroom_mb
  and allocated_cpu_percent + $2::int <= cpu_percent and allocated_disk_mb + $3::int <= disk_mb`
const reserve = `update nodes set allocated_memory_mb = allocated_memory_mb + $1::int,
    allocated_cpu_percent = allocated_cpu_percent + $2::int,
    allocated_disk_mb = allocated_disk_mb + $3::int, allocated_servers = allocated_servers + 1
  where id = (select id from nodes where ${fits}
    order by memory_mb - headroom_mb - allocated_memory_mb desc limit 1 for no key update skip locked)
    and ${fits}
  returning id`
const insert = `with made as (
    insert into servers (id, name, owner_id, template_id, template_version, node_id, memory_mb,
      cpu_percent, disk_mb, variables, crash_policy, desired_power, desired_run, desired_spec)
    values ($1, $2, $3, $4, 1, $5, $6, $7, $8, '{}', '{}', 'on', 1, $9) returning id),
  port as (
    insert into server_ports (server_id, "offset", node_id, host_port, container_port, protocol)
    select $1, 0, $5, coalesce(max(host_port), 19999) + 1, 25565, 'tcp' from server_ports
    where node_id = $5),
  job as (
    insert into jobs (id, kind, title, state, server_id, node_id, owner_id, generation, input, steps)
    values (uuidv7(), 'server.create', $2, 'waiting', $1, $5, $3, 1, '{}', '[]') returning id)
  select id, pg_notify('raw_fleet', $1::text), pg_notify('raw_live', $1::text) from job`

const spec = JSON.stringify({ image: 'a'.repeat(600) })
const app = Fastify()
app.post<{ Body: Record<'name' | 'ownerId' | 'templateId', string> }>(
  '/api/servers',
  async (request, response) => {
    const { name, ownerId, templateId } = request.body
    const token = /panel_session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
    const hash = createHash('sha256').update(token).digest()
    await pool.query({ name: 'session', text: session, values: [hash] })
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query({ name: 'owner', text: owner, values: [ownerId] })
      await client.query({ name: 'template', text: template, values: [templateId] })
      const size = [64, 10, 64]
      const { rows } = await client.query({ name: 'reserve', text: reserve, values: size })
      if (!rows[0]) throw new Error('no node is free')
      await client.query({ name: 'standing', text: standing, values: [ownerId] })
      const serverId = randomUUID()
      const values = [serverId, name, ownerId, templateId, rows[0].id, ...size, spec]
      const made = await client.query({ name: 'insert', text: insert, values })
      await client.query('commit')
      return response.code(202).send({ serverId, jobId: made.rows[0].id })
    } catch (error) {
      await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
  },
)
const address = await app.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ port: Number(new URL(address).port) }))
process.on('SIGTERM', () => process.exit(0))
