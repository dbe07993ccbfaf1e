ALTER TABLE "jobs" ADD COLUMN "waits_for" text;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "drivers" jsonb DEFAULT '[]' NOT NULL;--> statement-breakpoint
DROP INDEX "jobs_one_exclusive_per_server";--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_one_exclusive_per_server" ON "jobs" ("server_id") WHERE "ended_at" is null and "generation" is null and "waits_for" is null and "server_id" is not null;--> statement-breakpoint
-- A deletion that waits was told as a suspension; it is a hold of its own.
UPDATE "server_holds" SET "kind" = 'deletion', "cause" = 'owner' WHERE "kind" = 'suspension' AND "cause" = 'deletion';--> statement-breakpoint
ALTER TABLE "server_holds" ADD CONSTRAINT "server_holds_suspension_cause" CHECK ("kind" <> 'suspension' or "cause" in ('account', 'billing', 'dispute', 'token', 'administrator'));