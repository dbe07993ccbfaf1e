ALTER TABLE "failover_office" ADD COLUMN "lease_extended_ttl_ms" integer;--> statement-breakpoint
ALTER TABLE "failover_office" ADD COLUMN "lease_extended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "failover_office" ADD COLUMN "lease_extended_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "lease_extended_ttl_ms" integer;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "lease_ttl_revision" bigint DEFAULT 0 NOT NULL;