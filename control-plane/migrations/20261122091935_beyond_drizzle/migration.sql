-- What the tables in TypeScript cannot say: unlogged tables, room on pages, partitions, triggers, functions.

-- Budgets, the hand-over of jobs and the newest figures need not survive a crash of PostgreSQL: they are made again.
ALTER TABLE "rate_limits" SET UNLOGGED;
--> statement-breakpoint
ALTER TABLE "job_dispatch" SET UNLOGGED;
--> statement-breakpoint
ALTER TABLE "server_usage" SET UNLOGGED;
--> statement-breakpoint
-- Free room on their pages keeps frequent writes off the indexes.
ALTER TABLE "server_usage" SET (fillfactor = 50);
--> statement-breakpoint
-- Figures of servers and nodes over time. Drizzle knows none of these tables: they are partitioned
-- by time, and partitions are made and dropped while Lodge runs (domains/metrics/partitions.ts).

CREATE TABLE "server_samples" (
  "key" integer NOT NULL,
  "at" timestamptz NOT NULL,
  "cpu" real NOT NULL,
  "memory" bigint NOT NULL,
  "rx" real NOT NULL,
  "tx" real NOT NULL,
  "disk" bigint
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE INDEX "server_samples_key_at" ON "server_samples" ("key", "at");
--> statement-breakpoint
CREATE INDEX "server_samples_at" ON "server_samples" USING brin ("at") WITH (pages_per_range = 32, autosummarize = on);
--> statement-breakpoint
CREATE TABLE "server_rollups_5m" (
  "key" integer NOT NULL,
  "at" timestamptz NOT NULL,
  "samples" integer NOT NULL,
  "cpu" double precision NOT NULL,
  "cpu_max" double precision NOT NULL,
  "memory" double precision NOT NULL,
  "memory_max" double precision NOT NULL,
  "rx" double precision NOT NULL,
  "rx_max" double precision NOT NULL,
  "tx" double precision NOT NULL,
  "tx_max" double precision NOT NULL,
  "disk_max" double precision,
  PRIMARY KEY ("key", "at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE INDEX "server_rollups_5m_at" ON "server_rollups_5m" USING brin ("at") WITH (pages_per_range = 32, autosummarize = on);
--> statement-breakpoint
CREATE TABLE "server_rollups_1h" (LIKE "server_rollups_5m" INCLUDING ALL) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "node_samples" (
  "key" uuid NOT NULL,
  "at" timestamptz NOT NULL,
  "cpu" real NOT NULL,
  "memory" bigint NOT NULL,
  "disk" bigint
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE INDEX "node_samples_key_at" ON "node_samples" ("key", "at");
--> statement-breakpoint
CREATE INDEX "node_samples_at" ON "node_samples" USING brin ("at") WITH (pages_per_range = 32, autosummarize = on);
--> statement-breakpoint
CREATE TABLE "node_rollups_5m" (
  "key" uuid NOT NULL,
  "at" timestamptz NOT NULL,
  "samples" integer NOT NULL,
  "cpu" double precision NOT NULL,
  "cpu_max" double precision NOT NULL,
  "memory" double precision NOT NULL,
  "memory_max" double precision NOT NULL,
  "disk_max" double precision,
  PRIMARY KEY ("key", "at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE INDEX "node_rollups_5m_at" ON "node_rollups_5m" USING brin ("at") WITH (pages_per_range = 32, autosummarize = on);
--> statement-breakpoint
CREATE TABLE "node_rollups_1h" (LIKE "node_rollups_5m" INCLUDING ALL) PARTITION BY RANGE ("at");
--> statement-breakpoint
-- One row: everything before this moment has been rolled up.
CREATE TABLE "metrics_progress" (
  "single" boolean PRIMARY KEY DEFAULT true CHECK ("single"),
  "through" timestamptz NOT NULL
);
--> statement-breakpoint
-- Five-minute buckets of a node that got samples after they may have been rolled up. Rows are only
-- added and may repeat, so that no agent's report ever waits for another's.
CREATE TABLE "metrics_late" (
  "node_id" uuid NOT NULL,
  "at" timestamptz NOT NULL
);
--> statement-breakpoint
CREATE INDEX "metrics_late_at" ON "metrics_late" ("at");
--> statement-breakpoint
-- The newest figures are written over and over: room on the page keeps those writes off the indexes.
ALTER TABLE "servers" SET (fillfactor = 70);
--> statement-breakpoint
ALTER TABLE "nodes" SET (fillfactor = 50);
--> statement-breakpoint
-- The record of changes is only ever added to. A row gets its seal once; retention, which says so in its
-- transaction, deletes what is older than the shortest time that can be set.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if tg_op = 'UPDATE' and tg_table_name = 'audit_log' then
    if old.seal is null and to_jsonb(old) - 'seal' = to_jsonb(new) - 'seal' then
      return new;
    end if;
  elsif tg_op = 'DELETE' and current_setting('lodge.audit_retention', true) = 'on' then
    if tg_table_name = 'audit_seals' then
      return old;
    elsif old.at < now() - interval '30 days' then
      return old;
    end if;
  end if;
  raise exception 'the record of changes is only ever added to' using errcode = '42501';
end $$;
--> statement-breakpoint
CREATE TRIGGER audit_log_only_grows BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
--> statement-breakpoint
CREATE TRIGGER audit_seals_only_grow BEFORE UPDATE OR DELETE ON audit_seals
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
--> statement-breakpoint
CREATE TRIGGER audit_log_stays BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
--> statement-breakpoint
CREATE TRIGGER audit_seals_stay BEFORE TRUNCATE ON audit_seals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
--> statement-breakpoint
-- An address that somebody may still take back counts as taken for everybody else. After the row, so that
-- it sees what a transaction has committed for which the unique index waited.
CREATE FUNCTION refuse_reserved_address() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if exists (select from former_addresses f
      where f.email = new.email and f.user_id <> new.id and f.expires_at > clock_timestamp()) then
    raise exception 'the address is reserved' using errcode = 'unique_violation', constraint = 'users_email';
  end if;
  return null;
end $$;
--> statement-breakpoint
CREATE TRIGGER users_email_reserved AFTER INSERT OR UPDATE OF email ON users
  FOR EACH ROW EXECUTE FUNCTION refuse_reserved_address();
--> statement-breakpoint
-- Whoever changes the state of an account, in whatever way, ends what is open of it: on this channel every
-- control plane hears of sessions whose streams and consoles end.
CREATE FUNCTION tell_account_state() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  perform pg_notify('lodge_live', json_build_object('kind', 'session', 'id', s.id)::text)
    from sessions s where s.user_id = new.id;
  return null;
end $$;
--> statement-breakpoint
CREATE TRIGGER users_state_told AFTER UPDATE OF state ON users
  FOR EACH ROW WHEN (old.state IS DISTINCT FROM new.state) EXECUTE FUNCTION tell_account_state();
--> statement-breakpoint
-- The application's role owns nothing. What it needs of the owner it asks of these functions, which work
-- as the owner and refuse what is not theirs to do. Who may call them is granted after every migration.

-- Retention: forgets the oldest seals up to one, with the records under them, and notes where the chain
-- now begins. What is younger than the shortest time that can be set stays, whoever asks.
CREATE FUNCTION forget_audit_records(last_seal bigint, cut_proof bytea) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
declare
  kept_from constant timestamptz := now() - interval '30 days';
  forgotten bigint;
begin
  if not exists (select from audit_seals where number = last_seal) then
    raise exception 'there is no seal %', last_seal using errcode = '22023';
  end if;
  if exists (select from audit_seals where number <= last_seal and sealed_at >= kept_from)
    or exists (select from audit_log where seal <= last_seal and at >= kept_from) then
    raise exception 'records of the last 30 days are not forgotten' using errcode = '42501';
  end if;
  insert into audit_anchor (number, signature, proof)
    select number, signature, cut_proof from audit_seals where number = last_seal
    on conflict (one) do update
    set number = excluded.number, signature = excluded.signature, proof = excluded.proof, at = now();
  perform set_config('lodge.audit_retention', 'on', true);
  delete from audit_log where seal <= last_seal;
  get diagnostics forgotten = row_count;
  delete from audit_seals where number <= last_seal;
  perform set_config('lodge.audit_retention', '', true);
  return forgotten;
end $$;
--> statement-breakpoint
CREATE FUNCTION require_metrics_partition(parent text, part text) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
begin
  if parent !~ '^(server|node)_(samples|rollups_5m|rollups_1h)$' or part !~ ('^' || parent || '_[0-9]{8}$') then
    raise exception '% is no partition of metrics', part using errcode = '42501';
  end if;
end $$;
--> statement-breakpoint
-- Attached rather than made in place, which would hold up every sample coming in.
CREATE FUNCTION make_metrics_partition(parent text, part text, starts timestamptz, ends timestamptz, unlogged boolean)
RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
begin
  perform require_metrics_partition(parent, part);
  if to_regclass(quote_ident(part)) is not null then
    return false;
  end if;
  execute format('create %s table public.%I (like public.%I including all)',
    case when unlogged then 'unlogged' else '' end, part, parent);
  execute format('alter table public.%I attach partition public.%I for values from (%L) to (%L)',
    parent, part, starts, ends);
  return true;
end $$;
--> statement-breakpoint
CREATE FUNCTION drop_metrics_partition(parent text, part text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
begin
  perform require_metrics_partition(parent, part);
  if not exists (select from pg_inherits
    where inhparent = to_regclass(quote_ident(parent)) and inhrelid = to_regclass(quote_ident(part))) then
    return false;
  end if;
  execute format('drop table public.%I', part);
  return true;
end $$;
