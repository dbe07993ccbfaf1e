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
