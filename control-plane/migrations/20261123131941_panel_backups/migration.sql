CREATE TABLE "panel_backups" (
	"id" uuid PRIMARY KEY,
	"state" text NOT NULL,
	"scheduled" boolean NOT NULL,
	"place" text NOT NULL,
	"address" text NOT NULL,
	"snapshot_id" text,
	"size_bytes" bigint,
	"stored_bytes" bigint,
	"failure" jsonb,
	"job_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "panel_backups_good" CHECK ("state" <> 'good' or "snapshot_id" is not null and "size_bytes" is not null)
);
--> statement-breakpoint
CREATE UNIQUE INDEX "panel_backups_one_running" ON "panel_backups" ("state") WHERE "state" = 'running';--> statement-breakpoint
CREATE INDEX "panel_backups_created" ON "panel_backups" ("created_at");