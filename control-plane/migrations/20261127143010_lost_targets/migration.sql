ALTER TABLE "superseded_copies" ADD COLUMN "kind" text DEFAULT 'container' NOT NULL;--> statement-breakpoint
ALTER TABLE "superseded_copies" ADD COLUMN "partial" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sagas" ADD COLUMN "broken_off" jsonb;