CREATE TABLE "schedule_backups" (
	"backup_id" uuid PRIMARY KEY,
	"schedule_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE INDEX "schedule_backups_schedule" ON "schedule_backups" ("schedule_id");--> statement-breakpoint
ALTER TABLE "schedule_backups" ADD CONSTRAINT "schedule_backups_backup_id_server_backups_id_fkey" FOREIGN KEY ("backup_id") REFERENCES "server_backups"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "schedule_backups" ADD CONSTRAINT "schedule_backups_schedule_id_schedules_id_fkey" FOREIGN KEY ("schedule_id") REFERENCES "schedules"("id") ON DELETE CASCADE;