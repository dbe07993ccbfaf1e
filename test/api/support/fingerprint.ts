import type pg from 'pg'
import { until } from '../../support/until.ts'

/**
 * Refused requests use budgets too, attempts are counted, and files have a place while they arrive; periodic tasks aggregate metrics,
 * process requests, have providers forget deleted customers, fetch their pages, record tax, seal the record, look at the goals of tickets, record minutes, count what tells whether the database was
 * set back, and draw previews.
 */
const TABLES_LEFT_OUT = [
  'rate_limits',
  'second_factor_failures',
  'metrics_progress',
  'attachment_arrivals',
  'reset_requests',
  'signup_requests',
  'audit_seals',
  'audit_anchor',
  'recorded_changes',
  'job_dispatch',
  'support_watches',
  'support_words',
  'support_words_progress',
  'status_clock',
  'status_spans',
  'status_requests',
  'database_lineage',
  'attachment_previews',
  'told_announcements',
  'provider_farewells',
  'provider_pages',
  'tax_records',
]
/**
 * Sessions and tokens record their last use, and nodes their heartbeats; periodic tasks write
 * invitation mails and report silent nodes, full ones and newer plugins.
 */
const COLUMNS_LEFT_OUT = [
  'last_seen_at',
  'renew_seq',
  'last_used_at',
  'seal',
  'mailed_at',
  'token_hash',
  'told_offline',
  'told_little_room',
  'newest_version',
]
/**
 * The same for columns that only one table has: from where a session was last used, when a
 * subscription is checked again, and the attempts of sending to channels, which go on for days.
 */
const LEFT_OUT_OF: Readonly<Record<string, readonly string[]>> = {
  sessions: ['address'],
  subscriptions: ['next_at'],
  notification_channels: ['lease_until', 'lease_id', 'paced_until', 'failing_since'],
  notification_deliveries: ['attempts', 'next_attempt_at', 'status', 'answer', 'error'],
}

/**
 * Earlier requests still being processed: a medium being checked, a backup of the panel, unwritten
 * mail, viewings to be ended, reports of providers.
 */
const OPEN_WORK = `
  select 1 from jobs where kind in ('vm.medium.check', 'panel.backup') and state in ('waiting', 'running')
  union all select 1 from reset_requests
  union all select 1 from signup_requests
  union all select 1 from status_requests
  union all select 1 from status_mailings
  union all select 1 from viewings
    where ended_at is null and (session_id is null or expires_at <= now())
  union all select 1 from server_invitations
    where mailed_at is null and expires_at > now()
  union all select 1 from provider_events where next_at <= now()`

const watched = new WeakMap<pg.Pool, Promise<void>>()
const counted = new WeakMap<pg.Pool, Map<string, number>>()

/**
 * How many rows of every table were added, changed or removed since the first call: when two
 * fingerprints are equal, nothing changed between them. Does not count the removal of expired rows,
 * which a periodic task does every five minutes.
 */
export async function fingerprint(pool: pg.Pool): Promise<Record<string, number>> {
  const watching = watched.get(pool) ?? watch(pool)
  watched.set(pool, watching)
  await watching
  // Wait for it, since this is not a change of the current caller.
  await until(async () => (await pool.query(OPEN_WORK)).rowCount === 0)
  const { rows } = await pool.query<{ name: string; count: number }>(
    `with taken as (delete from recorded_changes returning name)
     select name, count(*)::int as count from taken group by name`,
  )
  // Deleted once counted, since a table that only grows slows down every count.
  const total = counted.get(pool) ?? new Map<string, number>()
  counted.set(pool, total)
  for (const { name, count } of rows) total.set(name, (total.get(name) ?? 0) + count)
  return Object.fromEntries(total)
}

async function watch(pool: pg.Pool): Promise<void> {
  await pool.query(`
    create table recorded_changes (name text not null);
    create function record_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and (to_jsonb(old) ->> 'expires_at')::timestamptz < now() then
        return null;
      end if;
      if tg_op <> 'UPDATE' or to_jsonb(old) - tg_argv <> to_jsonb(new) - tg_argv then
        insert into recorded_changes values (tg_table_name);
      end if;
      return null;
    end $$`)
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  )
  for (const { name } of rows.filter((row) => !TABLES_LEFT_OUT.includes(row.name))) {
    const columns = [...COLUMNS_LEFT_OUT, ...(LEFT_OUT_OF[name] ?? [])].map((one) => `'${one}'`)
    await pool.query(`create trigger record_change after insert or update or delete on "${name}"
      for each row execute function record_change(${columns})`)
  }
}
