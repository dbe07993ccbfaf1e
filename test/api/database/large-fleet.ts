import type pg from 'pg'
import { type FleetRows, insertFleet, insertServers } from '../../../bench/src/stage/fleet-rows.ts'
import { until } from '../../support/until.ts'

const NODES = 2_000
const SERVERS = 10_000
const PEOPLE = 5_000

/**
 * The least number of rows of every table that grows with a fleet: too many for a sequential scan.
 */
export const ROWS_AT_LEAST = 2_000

/**
 * Inserts thousands of servers with everything that grows with them: people, sessions, factors, jobs,
 * samples, the audit record.
 */
export async function insertLargeFleet(pool: pg.Pool): Promise<FleetRows> {
  const rows = await insertFleet(pool, { nodes: NODES })
  await insertServers(pool, { templateId: rows.templateId, from: 0, to: SERVERS })
  for (const statement of [...people, ...spread, ...servers, ...work, ...desk, ...money])
    await pool.query(statement)
  await settleStatistics(pool)
  return rows
}

/** The time for VACUUM of all tables, beside other tests. */
const SETTLED_MS = 90_000

/**
 * Fixes what the planner knows, which autovacuum would change at some moment: dead rows are removed,
 * and every page is marked all-visible. A transaction that is open meanwhile prevents the latter.
 */
async function settleStatistics(pool: pg.Pool): Promise<void> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  for (const { name } of tables)
    await pool.query(`alter table ${name} set (autovacuum_enabled = false)`)
  await until(async () => {
    await pool.query('vacuum analyze')
    const { rowCount } = await pool.query(
      `select from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
       and reltuples >= $1 and relallvisible < relpages`,
      [ROWS_AT_LEAST],
    )
    return rowCount === 0
  }, SETTLED_MS)
}

const people = [
  `insert into users (id, email, role, preferences)
   select gen_random_uuid(), 'person' || n || '@example.org', 'customer', '{"mode":null}'
   from generate_series(1, ${PEOPLE}) n`,
  `insert into sessions (id, user_id, token_hash, user_agent, address, expires_at)
   select gen_random_uuid(), id, sha256(id::text::bytea), '', '', now() + interval '1 day' from users
   where email like 'person%'`,
  `insert into totp_factors (user_id, secret, confirmed_at) select id, '', now() from users
   where email like 'person%'`,
  `insert into passkeys (id, user_id, name, credential_id, public_key, counter, backed_up)
   select gen_random_uuid(), id, '', id::text, '', 0, false from users where email like 'person%'`,
  `insert into api_tokens (id, user_id, name, prefix, scopes, token_hash)
   select gen_random_uuid(), id, '', '', '{}', sha256(id::text::bytea) from users`,
  `insert into viewings (id, viewer_id, viewer_email, customer_id, expires_at, ended_at)
   select gen_random_uuid(), id, email, id, now(), now() from users`,
  `insert into notifications (id, user_id, type, severity, title, body, group_key, read_at)
   select uuidv7(), id, 'test', 'info', '', '', id::text, case when n > 1 then now() end
   from users, generate_series(1, 6) n`,
  `insert into email_messages (id, template, to_address, subject, state, priority, message_id,
     expires_at, created_at, ended_at)
   select uuidv7(), 'test', email, '', 'sent', 1, id::text, now(), now() - interval '1 hour', now()
   from users`,
  // So many that a sequential scan costs more than an index lookup.
  `insert into templates (id, name, description, origin, version, document, customer_visible)
   select gen_random_uuid(), 'Template ' || n, '', 'custom', 1, document, false
   from templates, generate_series(1, ${ROWS_AT_LEAST}) n where name = 'Bench'`,
]

/**
 * Every customer except the owner of the first ten servers has two servers, and each template serves
 * five.
 */
const spread = [
  `insert into template_versions (template_id, version, document)
   select id, 1, document from templates on conflict do nothing`,
  `with person as (
     select id, row_number() over () as n from users where email like 'person%'),
   template as (select id, row_number() over () as n from templates)
   update servers s set owner_id = person.id, template_id = template.id,
     observed_state = ('{running,stopped,crashed,starting,stopping}'::text[])[1 + metric_key % 5]
   from person, template
   where s.metric_key > 10 and person.n = 1 + s.metric_key % ${PEOPLE}
     and template.n = 1 + s.metric_key % ${ROWS_AT_LEAST}`,
]

const servers = [
  `insert into server_events (id, server_id, at, kind, reason)
   select gen_random_uuid(), id, now() - make_interval(mins => n), 'started', ''
   from servers, generate_series(1, 2) n`,
  // The servers that are queried have a history longer than a page.
  `insert into server_events (id, server_id, at, kind, reason)
   select gen_random_uuid(), s.id, now() - make_interval(hours => n), 'started', ''
   from servers s, generate_series(1, 150) n where s.metric_key <= 10`,
  `insert into server_holds (server_id, kind, cause)
   select id, 'suspension', 'billing' from servers where metric_key % 2 = 0`,
  `insert into server_collaborators (server_id, user_id, permissions)
   select s.id, u.id, '{}' from (select id, row_number() over (order by id) n from servers) s
     join (select id, row_number() over (order by email) n from users where role = 'customer') u using (n)`,
  `update servers set tags = case when metric_key % 8 = 0 then '{eu,pvp}' else '{us}' end::text[]
   where metric_key % 4 = 0`,
  `insert into server_marks (user_id, server_id, folder, favourite)
   select owner_id, id, 'Folder ' || metric_key % 5, metric_key % 2 = 0 from servers`,
  `insert into vm_networks (id, name, mode, libvirt_name, subnet, prefix_length, gateway, pool_from, pool_to)
   values (gen_random_uuid(), 'test', 'nat', 'test', 0, 8, 1, 2, 100000)`,
  `insert into machines (server_id, uuid, hostname, profile_id, network_id, address, mac, vcpus, disks,
     boot_order, nat_rules, stop)
   select s.id, gen_random_uuid(), '', (select id from vm_profiles limit 1),
     (select id from vm_networks limit 1), s.metric_key, s.metric_key, 1, '[]', '[]', '[]', '{}'
   from servers s where metric_key % 2 = 0`,
  `insert into server_samples (key, at, cpu, memory, rx, tx)
   select metric_key, now() - make_interval(secs => n * 30), 1, 1, 1, 1
   from servers, generate_series(1, 5) n`,
  `insert into node_samples (key, at, cpu, memory)
   select id, now() - make_interval(secs => n * 30), 1, 1 from nodes, generate_series(1, 5) n`,
  `insert into server_rollups_5m (key, at, samples, cpu, cpu_max, memory, memory_max, rx, rx_max, tx, tx_max)
   select metric_key, date_bin('5 minutes', now(), '2000-01-01') - make_interval(mins => n * 5),
     1, 1, 1, 1, 1, 1, 1, 1, 1
   from servers, generate_series(1, 5) n`,
]

const work = [
  `insert into customer_notes (id, customer_id, author_id, content)
   select uuidv7(), id, id, 'Pays by invoice' from users, generate_series(1, 3) n`,
  `insert into jobs (id, kind, title, state, server_id, node_id, owner_id, input, steps, generation, ended_at)
   select uuidv7(), 'server.power', '', case when n = 1 then 'running' else 'done' end, s.id, s.node_id,
     s.owner_id, '{}', '[]', n, case when n > 1 then now() end
   from servers s, generate_series(1, 3) n`,
  `insert into schedules (id, server_id, cron, timezone, anchored_at, tasks, missed, enabled,
     author_id, next_at)
   select uuidv7(), id, '30 4 * * *', 'UTC', now(), '[]', 'skip', true, owner_id,
     now() + interval '1 day'
   from servers`,
  `insert into schedule_runs (id, schedule_id, state, due_at, started_at, ended_at, results)
   select uuidv7(), id, 'done', now() - make_interval(days => n), now() - make_interval(days => n),
     now() - make_interval(days => n), '[]'
   from schedules, generate_series(1, 3) n`,
  `insert into job_dispatch (job_id, due_at)
   select id, now() + interval '1 day' from jobs where ended_at is null`,
  `insert into tasks (id, node_id, server_id, work, state, deadline)
   select gen_random_uuid(), node_id, id, '', 'done', now() + interval '1 day' from servers`,
  `insert into audit_log (id, at, actor_kind, actor_id, actor_email, action, target_id, server_id, detail, row_hash)
   select gen_random_uuid(), now() - make_interval(mins => n), 'user', s.owner_id, '', 'server.power',
     s.id, s.id, '{}', '' from servers s, generate_series(1, 2) n`,
]

const desk = [
  `insert into support_tickets (id, subject, status, priority, source, answers, requester_id,
     requester_email, spam, created_at, updated_at, touched_at, status_since, closed_at)
   select uuidv7(), 'The world number ' || n || ' does not load', case when n % 20 = 0 then 'open' else 'closed' end,
     'normal', 'web', '{}', id, email, n % 50 = 1, at, at, at, at, case when n % 20 > 0 then at end
   from (select id, email, row_number() over (order by email) n from users where role = 'customer') u,
     lateral (select now() - make_interval(mins => n::int) as at) moment`,
  `insert into support_participants (id, ticket_id, role, email, user_id)
   select uuidv7(), id, 'requester', requester_email, requester_id from support_tickets
   union all
   -- Many take part by mail alone.
   select uuidv7(), id, 'copy', 'guest-' || requester_email, null from support_tickets`,
  `insert into support_messages (id, ticket_id, kind, author_kind, author_id, body, channel, created_at, words)
   select uuidv7(), id, 'reply', 'customer', requester_id, text, 'web', created_at,
     to_tsvector('english', text)
   from support_tickets, generate_series(1, 3) m, 
     lateral (select 'It stops at chunk ' || number || ' since part ' || m as text) t`,
  `insert into support_reads (user_id, ticket_id, read_at)
   select requester_id, id, updated_at from support_tickets`,
  // A tenth of the tickets has been idle for as long as a rule requires, and that rule has checked
  // all of them.
  `insert into support_watches (ticket_id, idle_since)
   select id, now() - (row_number() over (order by id)) * interval '36 seconds' from support_tickets`,
  `insert into support_rules (id, name, enabled, position, on_event, idle_minutes, conditions, actions, stop)
   values (gen_random_uuid(), 'Idle', true, 0, 'idle', 2880, '{"all":[],"any":[]}',
     '[{"type":"add_tags","tags":["idle"]}]', false)`,
  `insert into support_rule_idles (rule_id, ticket_id, since)
   select id, ticket_id, idle_since from support_rules, support_watches`,
  `insert into support_words (word)
   select 'word' || translate(n::text, '0123456789', 'abcdefghij') from generate_series(1, 5000) n
   union select unnest(tsvector_to_array(to_tsvector('english', 'It stops at chunk since part')))
   on conflict do nothing`,
  `insert into support_words_progress (read_to, learned_to)
   select id, id from support_messages order by id desc limit 1
   on conflict ("only") do update set read_to = excluded.read_to, learned_to = excluded.learned_to`,
]

/** Every customer has a subscription and two invoices, of which few are overdue. */
const money = [
  `insert into plans (id, name, kind)
   select gen_random_uuid(), 'Plan ' || n, 'account' from generate_series(1, 20) n`,
  `insert into plan_prices (id, plan_id, cycle, currency, amount)
   select gen_random_uuid(), id, 'monthly', 'EUR', 500 from plans`,
  `insert into subscriptions (id, user_id, plan_id, price_id, status, anchor, period_start, period_end)
   select uuidv7(), person.id, price.plan_id, price.id,
     case when person.n % 100 = 0 then 'past_due' else 'active' end, now(), now(), now() + interval '1 month'
   from (select id, row_number() over (order by email) n from users where role = 'customer') person
     join (select id, plan_id, row_number() over (order by id) n from plan_prices) price
       on price.n = 1 + person.n % 20`,
  `insert into invoices (id, number, user_id, subscription_id, plan_name, buyer, kind, status, currency, lines,
     total, amount_paid, issued_at, due_at)
   select uuidv7(), 'INV-2026-' || lpad((row_number() over ())::text, 6, '0'), s.user_id, s.id, plans.name,
     jsonb_build_object('email', users.email, 'name', 'Somebody'), 'first',
     case when s.status = 'past_due' and n = 2 then 'open' else 'paid' end, 'EUR', '[]', 500,
     case when s.status = 'past_due' and n = 2 then 0 else 500 end, now(), now() - interval '1 day'
   from subscriptions s join plans on plans.id = s.plan_id join users on users.id = s.user_id,
     generate_series(1, 2) n`,
  `insert into invoice_payments (id, invoice_id, amount, received_at, provider, recorded_at)
   select gen_random_uuid(), id, 500, now(), 'host', now() from invoices where status = 'paid'`,
]
