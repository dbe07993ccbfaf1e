CREATE TABLE "former_addresses" (
	"id" uuid PRIMARY KEY,
	"user_id" uuid NOT NULL,
	"email" text NOT NULL,
	"token_hash" bytea NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "former_addresses_token" ON "former_addresses" ("token_hash");--> statement-breakpoint
CREATE INDEX "former_addresses_email" ON "former_addresses" ("email");--> statement-breakpoint
CREATE INDEX "former_addresses_user" ON "former_addresses" ("user_id");--> statement-breakpoint
ALTER TABLE "former_addresses" ADD CONSTRAINT "former_addresses_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;
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
