CREATE TABLE "failover_office" (
	"id" integer PRIMARY KEY DEFAULT 1,
	"holder_id" uuid,
	"term" bigint DEFAULT 0 NOT NULL,
	"renew_seq" bigint DEFAULT 0 NOT NULL,
	"stopped_because" text,
	CONSTRAINT "failover_office_one" CHECK ("id" = 1)
);
--> statement-breakpoint
CREATE TABLE "takeovers" (
	"id" uuid PRIMARY KEY,
	"node_id" uuid,
	"node_name" text NOT NULL,
	"epoch" integer NOT NULL,
	"renew_seq" bigint NOT NULL,
	"term" bigint NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "failover_runs" ADD COLUMN "automatic" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "lease_longest_ttl_ms" integer DEFAULT 60000 NOT NULL;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "failover_mode" text DEFAULT 'pinned' NOT NULL;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "failover_mode_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "fenced_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "failover_mode" text;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "failover_revision" bigint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "guarded_revision" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "takeovers_at" ON "takeovers" ("at");--> statement-breakpoint
CREATE INDEX "takeovers_node" ON "takeovers" ("node_id");--> statement-breakpoint
CREATE INDEX "servers_failover_auto" ON "servers" ("id") WHERE "failover_mode" = 'auto';--> statement-breakpoint
ALTER TABLE "takeovers" ADD CONSTRAINT "takeovers_node_id_nodes_id_fkey" FOREIGN KEY ("node_id") REFERENCES "nodes"("id") ON DELETE SET NULL;