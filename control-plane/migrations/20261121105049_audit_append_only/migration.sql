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
