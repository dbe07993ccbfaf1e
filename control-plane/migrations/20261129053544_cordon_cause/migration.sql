ALTER TABLE "nodes" ADD COLUMN "cordoned_because" text;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "cordoned_at" timestamp with time zone;