CREATE TABLE "recurring_jobs" (
	"id" uuid PRIMARY KEY,
	"kind" text NOT NULL,
	"cron" text NOT NULL,
	"zone" text NOT NULL,
	"input" jsonb NOT NULL,
	"about" jsonb NOT NULL,
	"authority" jsonb NOT NULL,
	"next_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "recurring_jobs_next" ON "recurring_jobs" ("next_at");