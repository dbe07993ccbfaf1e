-- Figures of servers and nodes over time. Drizzle knows none of these tables: they are partitioned
-- by time, and partitions are made and dropped while Lodge runs (domains/metrics/partitions.ts).

CREATE TABLE "server_samples" (
  "key" integer NOT NULL,
  "at" timestamptz NOT NULL,
  "cpu" real NOT NULL,
  "memory" bigint NOT NULL,
  "rx" real NOT NULL,
  "tx" real NOT NULL,
  "disk" bigint
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE INDEX "server_samples_key_at" ON "server_samples" ("key", "at");
--> statement-breakpoint
CREATE INDEX "server_samples_at" ON "server_samples" USING brin ("at") WITH (pages_per_range = 32, autosummarize = on);
--> statement-breakpoint
CREATE TABLE "server_rollups_5m" (
  "key" integer NOT NULL,
  "at" timestamptz NOT NULL,
  "samples" integer NOT NULL,
  "cpu" double precision NOT NULL,
  "cpu_max" double precision NOT NULL,
  "memory" double precision NOT NULL,
  "memory_max" double precision NOT NULL,
  "rx" double precision NOT NULL,
  "rx_max" double precision NOT NULL,
  "tx" double precision NOT NULL,
  "tx_max" double precision NOT NULL,
  "disk_max" double precision,
  PRIMARY KEY ("key", "at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE INDEX "server_rollups_5m_at" ON "server_rollups_5m" USING brin ("at") WITH (pages_per_range = 32, autosummarize = on);
--> statement-breakpoint
CREATE TABLE "server_rollups_1h" (LIKE "server_rollups_5m" INCLUDING ALL) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "node_samples" (
  "key" uuid NOT NULL,
  "at" timestamptz NOT NULL,
  "cpu" real NOT NULL,
  "memory" bigint NOT NULL,
  "disk" bigint
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE INDEX "node_samples_key_at" ON "node_samples" ("key", "at");
--> statement-breakpoint
CREATE INDEX "node_samples_at" ON "node_samples" USING brin ("at") WITH (pages_per_range = 32, autosummarize = on);
--> statement-breakpoint
CREATE TABLE "node_rollups_5m" (
  "key" uuid NOT NULL,
  "at" timestamptz NOT NULL,
  "samples" integer NOT NULL,
  "cpu" double precision NOT NULL,
  "cpu_max" double precision NOT NULL,
  "memory" double precision NOT NULL,
  "memory_max" double precision NOT NULL,
  "disk_max" double precision,
  PRIMARY KEY ("key", "at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE INDEX "node_rollups_5m_at" ON "node_rollups_5m" USING brin ("at") WITH (pages_per_range = 32, autosummarize = on);
--> statement-breakpoint
CREATE TABLE "node_rollups_1h" (LIKE "node_rollups_5m" INCLUDING ALL) PARTITION BY RANGE ("at");
--> statement-breakpoint
-- One row: everything before this moment has been rolled up.
CREATE TABLE "metrics_progress" (
  "single" boolean PRIMARY KEY DEFAULT true CHECK ("single"),
  "through" timestamptz NOT NULL
);
--> statement-breakpoint
-- Five-minute buckets of a node that got samples after they may have been rolled up. Rows are only
-- added and may repeat, so that no agent's report ever waits for another's.
CREATE TABLE "metrics_late" (
  "node_id" uuid NOT NULL,
  "at" timestamptz NOT NULL
);
--> statement-breakpoint
CREATE INDEX "metrics_late_at" ON "metrics_late" ("at");
--> statement-breakpoint
-- The newest figures are written over and over: room on the page keeps those writes off the indexes.
ALTER TABLE "servers" SET (fillfactor = 70);
--> statement-breakpoint
ALTER TABLE "nodes" SET (fillfactor = 50);
