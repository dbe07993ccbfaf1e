CREATE TABLE "fencings" (
	"node_id" uuid PRIMARY KEY,
	"renew_seq" bigint NOT NULL,
	"asked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"try_at" timestamp with time zone DEFAULT now(),
	"off_at" timestamp with time zone,
	"failure" jsonb
);
--> statement-breakpoint
CREATE INDEX "fencings_due" ON "fencings" ("try_at") WHERE "try_at" is not null;--> statement-breakpoint
CREATE INDEX "fencings_asked" ON "fencings" ("asked_at");--> statement-breakpoint
CREATE INDEX "servers_failover_stonith" ON "servers" ("id") WHERE "failover_mode" = 'stonith';--> statement-breakpoint
ALTER TABLE "fencings" ADD CONSTRAINT "fencings_node_id_nodes_id_fkey" FOREIGN KEY ("node_id") REFERENCES "nodes"("id") ON DELETE CASCADE;