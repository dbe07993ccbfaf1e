CREATE TABLE "schedule_archives" (
	"schedule_id" uuid,
	"path" text,
	"series" text NOT NULL,
	"made_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "schedule_archives_pkey" PRIMARY KEY("schedule_id","path")
);
--> statement-breakpoint
CREATE INDEX "schedule_archives_series" ON "schedule_archives" ("schedule_id","series","made_at");--> statement-breakpoint
ALTER TABLE "schedule_archives" ADD CONSTRAINT "schedule_archives_schedule_id_schedules_id_fkey" FOREIGN KEY ("schedule_id") REFERENCES "schedules"("id") ON DELETE CASCADE;