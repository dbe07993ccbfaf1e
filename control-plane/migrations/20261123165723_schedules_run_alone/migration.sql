ALTER TABLE "nodes" ADD COLUMN "newest_report" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "schedule_runs" ADD COLUMN "by_node" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "schedules" ADD COLUMN "alone" boolean GENERATED ALWAYS AS (not jsonb_path_exists(tasks, '$[*] ? (@.action != "power" && @.action != "command" && @.action != "wait")') and octet_length(tasks::text) <= 8192) STORED;--> statement-breakpoint
DROP INDEX "schedule_runs_one_open";--> statement-breakpoint
CREATE UNIQUE INDEX "schedule_runs_one_open" ON "schedule_runs" ("schedule_id") WHERE "ended_at" is null and not "by_node";--> statement-breakpoint
CREATE INDEX "schedule_runs_open" ON "schedule_runs" ("schedule_id") WHERE "ended_at" is null;