ALTER TABLE "servers" ADD COLUMN "held_ports" integer[] DEFAULT '{}'::integer[] NOT NULL;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "held_ports_until" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "servers_held_ports" ON "servers" ("node_id") WHERE "held_ports" <> '{}';