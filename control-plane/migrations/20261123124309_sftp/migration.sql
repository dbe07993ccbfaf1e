CREATE TABLE "sftp_passwords" (
	"id" uuid PRIMARY KEY,
	"user_id" uuid NOT NULL,
	"server_id" uuid NOT NULL,
	"password_hash" bytea NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "ssh_host_keys" (
	"type" text PRIMARY KEY,
	"fingerprint" text NOT NULL,
	"private_key" bytea NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ssh_keys" (
	"id" uuid PRIMARY KEY,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"fingerprint" text NOT NULL,
	"public_key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "sftp_passwords_of_person" ON "sftp_passwords" ("server_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sftp_passwords_hash" ON "sftp_passwords" ("password_hash");--> statement-breakpoint
CREATE INDEX "sftp_passwords_user" ON "sftp_passwords" ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ssh_keys_of_user" ON "ssh_keys" ("user_id","fingerprint");--> statement-breakpoint
CREATE INDEX "ssh_keys_fingerprint" ON "ssh_keys" ("fingerprint");--> statement-breakpoint
ALTER TABLE "sftp_passwords" ADD CONSTRAINT "sftp_passwords_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "sftp_passwords" ADD CONSTRAINT "sftp_passwords_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "ssh_keys" ADD CONSTRAINT "ssh_keys_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;