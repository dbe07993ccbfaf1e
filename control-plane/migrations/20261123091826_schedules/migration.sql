CREATE TABLE "schedule_runs" (
	"id" uuid PRIMARY KEY,
	"schedule_id" uuid NOT NULL,
	"state" text NOT NULL,
	"due_at" timestamp with time zone,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"started_by" uuid,
	"detail" text,
	"job_id" uuid,
	"results" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "schedule_snapshots" (
	"snapshot_id" uuid PRIMARY KEY,
	"schedule_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "schedules" (
	"id" uuid PRIMARY KEY,
	"server_id" uuid NOT NULL,
	"name" text,
	"cron" text,
	"interval_minutes" integer,
	"anchored_at" timestamp with time zone NOT NULL,
	"timezone" text NOT NULL,
	"tasks" jsonb NOT NULL,
	"missed" text NOT NULL,
	"enabled" boolean NOT NULL,
	"author_id" uuid,
	"next_at" timestamp with time zone,
	"problem" text,
	"revision" bigint DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "schedules_one_timing" CHECK (("cron" is null) <> ("interval_minutes" is null))
);
--> statement-breakpoint
ALTER TABLE "sagas" ADD COLUMN "parked_job" uuid;--> statement-breakpoint
CREATE UNIQUE INDEX "schedule_runs_due" ON "schedule_runs" ("schedule_id","due_at");--> statement-breakpoint
CREATE UNIQUE INDEX "schedule_runs_one_open" ON "schedule_runs" ("schedule_id") WHERE "ended_at" is null;--> statement-breakpoint
CREATE INDEX "schedule_runs_newest" ON "schedule_runs" ("schedule_id","started_at","id");--> statement-breakpoint
CREATE INDEX "schedule_runs_ended" ON "schedule_runs" ("ended_at");--> statement-breakpoint
CREATE INDEX "schedule_runs_started_by" ON "schedule_runs" ("started_by");--> statement-breakpoint
CREATE INDEX "schedule_snapshots_schedule" ON "schedule_snapshots" ("schedule_id");--> statement-breakpoint
CREATE INDEX "schedules_due" ON "schedules" ("next_at") WHERE "next_at" is not null;--> statement-breakpoint
CREATE INDEX "schedules_server" ON "schedules" ("server_id","id");--> statement-breakpoint
CREATE INDEX "schedules_author" ON "schedules" ("author_id");--> statement-breakpoint
CREATE INDEX "sagas_parked_job" ON "sagas" ("parked_job") WHERE "parked_job" is not null;--> statement-breakpoint
ALTER TABLE "schedule_runs" ADD CONSTRAINT "schedule_runs_schedule_id_schedules_id_fkey" FOREIGN KEY ("schedule_id") REFERENCES "schedules"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "schedule_runs" ADD CONSTRAINT "schedule_runs_started_by_users_id_fkey" FOREIGN KEY ("started_by") REFERENCES "users"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "schedule_snapshots" ADD CONSTRAINT "schedule_snapshots_snapshot_id_vm_snapshots_id_fkey" FOREIGN KEY ("snapshot_id") REFERENCES "vm_snapshots"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "schedule_snapshots" ADD CONSTRAINT "schedule_snapshots_schedule_id_schedules_id_fkey" FOREIGN KEY ("schedule_id") REFERENCES "schedules"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_author_id_users_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE SET NULL;