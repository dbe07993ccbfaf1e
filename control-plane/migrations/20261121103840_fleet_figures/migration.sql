CREATE TABLE "job_dispatch" (
	"job_id" uuid PRIMARY KEY,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"worker" uuid
);
--> statement-breakpoint
CREATE TABLE "node_reports" (
	"node_id" uuid PRIMARY KEY,
	"through" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
-- Outside of the write-ahead log; room on the page keeps its writes off the index.
CREATE UNLOGGED TABLE "server_usage" (
	"key" integer PRIMARY KEY,
	"at" timestamp with time zone NOT NULL,
	"cpu" real NOT NULL,
	"memory" bigint NOT NULL,
	"rx" real NOT NULL,
	"tx" real NOT NULL,
	"disk" bigint
) WITH (fillfactor = 50);
--> statement-breakpoint
INSERT INTO "node_reports" ("node_id", "through") SELECT "id", "report_through" FROM "nodes";--> statement-breakpoint
ALTER TABLE "nodes" DROP COLUMN "report_through";--> statement-breakpoint
ALTER TABLE "servers" DROP COLUMN "usage";--> statement-breakpoint
CREATE INDEX "job_dispatch_due" ON "job_dispatch" ("due_at");--> statement-breakpoint
ALTER TABLE "node_reports" ADD CONSTRAINT "node_reports_node_id_nodes_id_fkey" FOREIGN KEY ("node_id") REFERENCES "nodes"("id") ON DELETE CASCADE;--> statement-breakpoint
-- Jobs are handed over by a table of our own now.
DROP SCHEMA IF EXISTS "pgboss" CASCADE;
