import { createHash, randomUUID } from 'node:crypto'
import { DEFAULT_CRASH_POLICY } from '@lodge/shared/servers.ts'
import type pg from 'pg'
import { BENCH_TEMPLATE } from './template.ts'

/** The credential of every node in these rows. */
export const NODE_CREDENTIAL = 'credential-of-a-node-in-a-benchmark'

export interface FleetRows {
  readonly templateId: string
  readonly adminCookie: string
  /** Owns the first ten servers and one in a hundred of the others. */
  readonly customer: { readonly id: string; readonly cookie: string }
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Fills an empty database: an administrator, a hundred customers, sessions for the first of each,
 * one template and `nodes` connected nodes with plenty of capacity.
 */
export async function insertFleet(
  pool: pg.Pool,
  given: { nodes: number; memoryMb?: number },
): Promise<FleetRows> {
  const templateId = randomUUID()
  await pool.query(
    `insert into users (id, email, role, super_admin, preferences, factor_due_at)
     values (gen_random_uuid(), 'admin@example.org', 'admin', true, '{"mode":null}', now() + interval '1 year')`,
  )
  await pool.query(
    `insert into users (id, email, role, preferences)
     select gen_random_uuid(), 'customer' || n || '@example.org', 'customer', '{"mode":null}'
     from generate_series(0, 99) n`,
  )
  await pool.query(
    `insert into templates (id, name, description, origin, version, document, customer_visible)
     values ($1, 'Bench', '', 'custom', 1, $2, true)`,
    [templateId, JSON.stringify(BENCH_TEMPLATE)],
  )
  await pool.query(
    `insert into template_versions (template_id, version, document) values ($1, 1, $2)`,
    [templateId, JSON.stringify(BENCH_TEMPLATE)],
  )
  await insertNodes(pool, given.nodes, given.memoryMb)
  const admin = await insertSession(pool, 'admin@example.org')
  const customer = await insertSession(pool, 'customer0@example.org')
  return { templateId, adminCookie: admin.cookie, customer }
}

/** Nodes that count as connected for the whole run. */
export async function insertNodes(
  pool: pg.Pool,
  count: number,
  memoryMb = 1_000_000,
): Promise<void> {
  await pool.query(
    `insert into nodes (id, name, location, address, memory_mb, cpu_percent, disk_mb, port_ranges,
       credential_hash, session_id, instance_id, connected_at, last_seen_at, remote_address, agent_version,
       drivers)
     select uuidv7(), 'node-' || lpad(n::text, 6, '0'), 'place-' || n % 10, '198.51.100.' || n % 250, $2,
       1000000, 100000000, '[{"from":20000,"to":60000}]', $3, gen_random_uuid(), gen_random_uuid(),
       now(), now() + interval '1 year', '198.51.100.1', '0.1.0',
       '[{"kind":"docker","healthy":true,"version":"28","why":""}]'
     from generate_series(1, $1::int) n`,
    [count, memoryMb, sha256(NODE_CREDENTIAL)],
  )
  await pool.query('analyze nodes')
}

/** A session of that user; its cookie. */
export async function insertSession(
  pool: pg.Pool,
  email: string,
): Promise<{ id: string; cookie: string }> {
  const token = randomUUID()
  const { rows } = await pool.query<{ id: string }>(
    `insert into sessions (id, user_id, token_hash, user_agent, address, expires_at, last_seen_at)
     select gen_random_uuid(), id, $2, 'bench', '127.0.0.1', now() + interval '7 days', now() + interval '1 hour'
     from users where email = $1 returning user_id as id`,
    [email, sha256(token)],
  )
  const id = rows[0]?.id
  if (!id) throw new Error(`there is no ${email}`)
  return { id, cookie: `panel_session=${token}` }
}

/** Running servers number `from` up to `to`, spread over owners and nodes, each with one port. */
export async function insertServers(
  pool: pg.Pool,
  given: { templateId: string; from: number; to: number },
): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    // The rows are valid by construction; checking a million foreign keys would take most of the
    // time.
    await client.query(`set local session_replication_role = 'replica'`)
    await client.query(
      `create temporary table own on commit drop as select id, row_number() over (order by email) - 1 as n
       from users where role = 'customer'`,
    )
    await client.query(
      `create temporary table place on commit drop as select id, row_number() over (order by id) - 1 as n,
         count(*) over () as nodes from nodes`,
    )
    await client.query(
      `with made as (
         insert into servers (id, name, owner_id, template_id, template_version, node_id, memory_mb,
           cpu_percent, disk_mb, variables, crash_policy, desired_power, desired_run, desired_spec, observed_state,
           observation, observed_generation, settled_generation, observed_at, since)
         select uuidv7(), 'server-' || i, own.id, $1, 1, place.id, 1024, 100, 5120, '{}', $4, 'on', 1,
           '{}', 'running', 1, 1, 1, now(), now()
         from generate_series($2::int, $3::int - 1) i
           join own on own.n = case when i < 10 then 0 else i % 100 end
           join place on place.n = i % place.nodes
         returning id, node_id, metric_key),
       used as (
         insert into server_usage (key, at, cpu, memory, rx, tx, disk)
         select metric_key, now(), 12.5, 300000000, 1234.5, 2345.6, 1000000000 from made)
       insert into server_ports (server_id, "offset", node_id, host_port, container_port, protocol)
       select id, 0, node_id, 1 + metric_key % 65535, 25565, 'tcp' from made
       on conflict do nothing`,
      [given.templateId, given.from, given.to, JSON.stringify(DEFAULT_CRASH_POLICY)],
    )
    await client.query('commit')
    await client.query('analyze servers, server_ports, server_usage')
  } finally {
    client.release()
  }
}
