CREATE TABLE "server_backup_ignores" (
	"server_id" uuid PRIMARY KEY,
	"patterns" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "server_backups" ADD COLUMN "ignored" jsonb DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE "server_backup_ignores" ADD CONSTRAINT "server_backup_ignores_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;