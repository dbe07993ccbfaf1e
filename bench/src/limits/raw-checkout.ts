import { createHash, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'

/**
 * The limit of a checkout: its locks and writes in one transaction of named statements, without any
 * rules, input checks, mail or response beyond the ids.
 */

pg.types.setTypeParser(20, Number)
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 12,
  application_name: 'raw',
})

const session = `select u.id from sessions s join users u on u.id = s.user_id
  where s.token_hash = $1 and s.expires_at > now()`
const buyer = 'select * from users where id = $1 for no key update'
const plan = 'select * from plans where id = $1 for no key update'
const price = 'select * from plan_prices where plan_id = $1 and retired_at is null'
const sold = `select count(*)::int as held from subscriptions where plan_id = $1
  and status in ('incomplete', 'trialing', 'active', 'past_due', 'suspended')`
const fits = `not cordoned and credential_hash is not null
  and allocated_memory_mb + $1::int <= memory_mb - headroom_mb
  and allocated_cpu_percent + $2::int <= cpu_percent and allocated_disk_mb + $3::int <= disk_mb`
const reserve = `update nodes set allocated_memory_mb = allocated_memory_mb + $1::int,
    allocated_cpu_percent = allocated_cpu_percent + $2::int,
    allocated_disk_mb = allocated_disk_mb + $3::int
  where id = (select id from nodes where ${fits}
    order by memory_mb - headroom_mb - allocated_memory_mb desc limit 1 for no key update skip locked)
    and ${fits}
  returning id`
const number = `insert into invoice_series (name, next) values ('RAW', 2)
  on conflict (name) do update set next = invoice_series.next + 1 returning next`
const insert = `with own as (
    insert into subscriptions (id, user_id, plan_id, price_id, status, expires_at, next_at)
    values ($1, $2, $3, $4, 'incomplete', now() + interval '7 days', now() + interval '7 days')),
  kept as (
    insert into server_orders (id, subscription_id, name, template_id, preset, node_id, state)
    values (gen_random_uuid(), $1, $5, $6, $7, $8, 'reserved'))
  insert into invoices (id, number, user_id, subscription_id, plan_name, buyer, kind, status, currency,
    lines, total, issued_at, due_at)
  values (gen_random_uuid(), $9, $2, $1, 'Plan', '{"email":"","name":""}', 'first', 'open', 'EUR', '[]',
    900, now(), now() + interval '7 days')`

interface Body {
  planId: string
  server: { name: string; templateId: string }
}

const app = Fastify()
app.post<{ Body: Body }>('/api/store/checkout', async (request, response) => {
  const { planId, server } = request.body
  const token = /panel_session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
  const hash = createHash('sha256').update(token).digest()
  const { rows } = await pool.query({ name: 'session', text: session, values: [hash] })
  const client = await pool.connect()
  try {
    await client.query('begin')
    const userId = rows[0].id
    await client.query({ name: 'buyer', text: buyer, values: [userId] })
    const chosen = await client.query({ name: 'plan', text: plan, values: [planId] })
    const { preset } = chosen.rows[0]
    const prices = await client.query({ name: 'price', text: price, values: [planId] })
    await client.query({ name: 'sold', text: sold, values: [planId] })
    const size = [preset.memoryMb, preset.cpuPercent, preset.diskMb]
    const place = await client.query({ name: 'reserve', text: reserve, values: size })
    if (!place.rows[0]) throw new Error('no node is free')
    const next = await client.query({ name: 'number', text: number })
    const id = randomUUID()
    const values = [
      ...[id, userId, planId, prices.rows[0].id, server.name, server.templateId],
      ...[JSON.stringify(preset), place.rows[0].id, `RAW-${next.rows[0].next}`],
    ]
    await client.query({ name: 'insert', text: insert, values })
    await client.query('commit')
    return response.code(201).send({ id })
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
})
const address = await app.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ port: Number(new URL(address).port) }))
process.on('SIGTERM', () => process.exit(0))
