ALTER TABLE "server_orders" ADD COLUMN "machine" jsonb;--> statement-breakpoint
ALTER TABLE "server_orders" ADD COLUMN "growth_node_id" uuid;--> statement-breakpoint
ALTER TABLE "server_orders" ADD COLUMN "growth" jsonb;