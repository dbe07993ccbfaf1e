ALTER TABLE "failover_servers" ADD COLUMN "storage" text;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "storage_id" uuid;