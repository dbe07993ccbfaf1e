ALTER TABLE "nodes" ADD COLUMN "transfer_port" integer;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "transfers" jsonb;