ALTER TABLE "imported_records" ADD COLUMN "invitation" text;--> statement-breakpoint
CREATE INDEX "imported_records_waiting" ON "imported_records" ("imported_at") WHERE "invitation" = 'waiting';