ALTER TABLE "backup_repositories" ADD COLUMN "storage_node_id" uuid;--> statement-breakpoint
ALTER TABLE "server_backups" ADD COLUMN "by_host" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "backup_repositories" ALTER COLUMN "node_id" DROP NOT NULL;--> statement-breakpoint
CREATE INDEX "backup_repositories_storage" ON "backup_repositories" ("storage_node_id");--> statement-breakpoint
ALTER TABLE "backup_repositories" ADD CONSTRAINT "backup_repositories_storage_node_id_nodes_id_fkey" FOREIGN KEY ("storage_node_id") REFERENCES "nodes"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "backup_repositories" DROP CONSTRAINT "backup_repositories_node_id_nodes_id_fkey", ADD CONSTRAINT "backup_repositories_node_id_nodes_id_fkey" FOREIGN KEY ("node_id") REFERENCES "nodes"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "backup_repositories" ADD CONSTRAINT "backup_repositories_storage_node" CHECK (("place" = 'other-node') = ("storage_node_id" is not null));