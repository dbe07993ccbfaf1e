ALTER TABLE "storage_copies" ADD COLUMN "claimed_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "storage_copies" ADD COLUMN "kept_until" timestamp with time zone;