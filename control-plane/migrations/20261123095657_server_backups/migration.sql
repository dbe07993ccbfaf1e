CREATE TABLE "backup_repositories" (
	"id" uuid PRIMARY KEY,
	"owner_id" uuid NOT NULL,
	"node_id" uuid NOT NULL,
	"place" text NOT NULL,
	"address" text NOT NULL,
	"s3" jsonb,
	"password" bytea NOT NULL,
	"needs_prune" boolean DEFAULT false NOT NULL,
	"pruned_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "backup_repositories_place" UNIQUE("owner_id","node_id","address"),
	CONSTRAINT "backup_repositories_s3" CHECK (("place" = 's3') = ("s3" is not null))
);
--> statement-breakpoint
CREATE TABLE "server_backups" (
	"id" uuid PRIMARY KEY,
	"server_id" uuid,
	"repository_id" uuid NOT NULL,
	"name" text NOT NULL,
	"state" text NOT NULL,
	"locked" boolean DEFAULT false NOT NULL,
	"scheduled" boolean DEFAULT false NOT NULL,
	"reserved_mb" integer NOT NULL,
	"size_bytes" bigint,
	"stored_bytes" bigint,
	"file_count" bigint,
	"taken_while_running" boolean,
	"snapshot_id" text,
	"failure" jsonb,
	"leftover" boolean DEFAULT false NOT NULL,
	"created_by_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "server_backups_good" CHECK ("state" <> 'good' or "snapshot_id" is not null and "size_bytes" is not null)
);
--> statement-breakpoint
CREATE TABLE "server_restores" (
	"server_id" uuid PRIMARY KEY,
	"restore_id" uuid NOT NULL,
	"backup_id" uuid NOT NULL,
	"state" text NOT NULL,
	"restored_at" timestamp with time zone,
	"since_generation" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "backup_repositories_node" ON "backup_repositories" ("node_id");--> statement-breakpoint
CREATE INDEX "server_backups_server" ON "server_backups" ("server_id","created_at");--> statement-breakpoint
CREATE INDEX "server_backups_repository" ON "server_backups" ("repository_id");--> statement-breakpoint
CREATE INDEX "server_backups_creator" ON "server_backups" ("created_by_id");--> statement-breakpoint
CREATE INDEX "server_backups_leftover" ON "server_backups" ("repository_id") WHERE "leftover" or "server_id" is null;--> statement-breakpoint
ALTER TABLE "backup_repositories" ADD CONSTRAINT "backup_repositories_owner_id_users_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "backup_repositories" ADD CONSTRAINT "backup_repositories_node_id_nodes_id_fkey" FOREIGN KEY ("node_id") REFERENCES "nodes"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "server_backups" ADD CONSTRAINT "server_backups_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "server_backups" ADD CONSTRAINT "server_backups_repository_id_backup_repositories_id_fkey" FOREIGN KEY ("repository_id") REFERENCES "backup_repositories"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "server_backups" ADD CONSTRAINT "server_backups_created_by_id_users_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "server_restores" ADD CONSTRAINT "server_restores_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;