ALTER TABLE "plugins" ADD COLUMN "accepted_by" uuid;--> statement-breakpoint
CREATE INDEX "plugins_accepted_by" ON "plugins" ("accepted_by");--> statement-breakpoint
ALTER TABLE "plugins" ADD CONSTRAINT "plugins_accepted_by_users_id_fkey" FOREIGN KEY ("accepted_by") REFERENCES "users"("id") ON DELETE SET NULL;