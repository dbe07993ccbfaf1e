CREATE TABLE "sagas" (
	"job_id" uuid PRIMARY KEY,
	"authority" jsonb NOT NULL,
	"run_at" timestamp with time zone,
	"rollback" jsonb,
	"parked_node" uuid,
	"parked" jsonb
);
--> statement-breakpoint
DROP INDEX "jobs_one_exclusive_per_server";--> statement-breakpoint
ALTER TABLE "job_dispatch" ADD COLUMN "woken" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "runs_as" text DEFAULT 'desired_state' NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "concurrency_group" text;--> statement-breakpoint
-- Jobs that were made before they said how they run.
UPDATE "jobs" SET "runs_as" = 'saga' WHERE "kind" IN ('node.images.free', 'vm.medium.check', 'vm.migrate', 'vm.snapshot.create', 'vm.snapshot.delete', 'vm.snapshot.restore');--> statement-breakpoint
UPDATE "jobs" SET "concurrency_group" = 'disks' WHERE "runs_as" = 'saga' AND "server_id" IS NOT NULL AND "ended_at" IS NULL;--> statement-breakpoint
UPDATE "jobs" SET "input" = "input" || jsonb_build_object('force', "input" -> 'unlimited') WHERE "kind" = 'vm.snapshot.create' AND "ended_at" IS NULL;--> statement-breakpoint
INSERT INTO "sagas" ("job_id", "authority") SELECT "id", jsonb_build_object('as', CASE WHEN "input" ->> 'unlimited' = 'true' THEN 'administrator' ELSE 'customer' END, 'mayForceLimits', coalesce("input" ->> 'unlimited' = 'true', false), 'userId', "started_by") FROM "jobs" WHERE "runs_as" = 'saga' AND "ended_at" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_one_per_group" ON "jobs" ("server_id","concurrency_group") WHERE "ended_at" is null and "concurrency_group" is not null;--> statement-breakpoint
CREATE INDEX "sagas_parked_node" ON "sagas" ("parked_node") WHERE "parked_node" is not null;--> statement-breakpoint
ALTER TABLE "sagas" ADD CONSTRAINT "sagas_job_id_jobs_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE;