ALTER TABLE "users" ADD COLUMN "locale" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "time_zone" text;--> statement-breakpoint
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
