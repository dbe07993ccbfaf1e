CREATE TABLE "failover_runs" (
	"id" uuid PRIMARY KEY,
	"node_id" uuid,
	"node_name" text NOT NULL,
	"job_id" uuid,
	"started_by_id" uuid,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "failover_servers" (
	"run_id" uuid,
	"server_id" uuid,
	"server_name" text NOT NULL,
	"target_id" uuid NOT NULL,
	"target_name" text NOT NULL,
	"repository_id" uuid NOT NULL,
	"backup_id" uuid NOT NULL,
	"snapshot_id" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"backup_at" timestamp with time zone NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"job_id" uuid,
	"detail" text,
	CONSTRAINT "failover_servers_pkey" PRIMARY KEY("run_id","server_id")
);
--> statement-breakpoint
CREATE TABLE "superseded_copies" (
	"server_id" uuid,
	"node_id" uuid,
	"server_name" text NOT NULL,
	"placement_generation" bigint NOT NULL,
	"superseded_at" timestamp with time zone DEFAULT now() NOT NULL,
	"stopped_at" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "superseded_copies_pkey" PRIMARY KEY("server_id","node_id")
);
--> statement-breakpoint
CREATE INDEX "failover_runs_node" ON "failover_runs" ("node_id");--> statement-breakpoint
CREATE INDEX "failover_runs_starter" ON "failover_runs" ("started_by_id");--> statement-breakpoint
CREATE INDEX "failover_runs_started" ON "failover_runs" ("started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "failover_servers_once" ON "failover_servers" ("server_id") WHERE "state" = 'waiting';--> statement-breakpoint
CREATE INDEX "superseded_copies_node" ON "superseded_copies" ("node_id");--> statement-breakpoint
ALTER TABLE "failover_runs" ADD CONSTRAINT "failover_runs_node_id_nodes_id_fkey" FOREIGN KEY ("node_id") REFERENCES "nodes"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "failover_runs" ADD CONSTRAINT "failover_runs_started_by_id_users_id_fkey" FOREIGN KEY ("started_by_id") REFERENCES "users"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "failover_servers" ADD CONSTRAINT "failover_servers_run_id_failover_runs_id_fkey" FOREIGN KEY ("run_id") REFERENCES "failover_runs"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "superseded_copies" ADD CONSTRAINT "superseded_copies_node_id_nodes_id_fkey" FOREIGN KEY ("node_id") REFERENCES "nodes"("id") ON DELETE CASCADE;