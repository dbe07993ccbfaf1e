ALTER TABLE "superseded_copies" ADD COLUMN "tries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "superseded_copies" ADD COLUMN "try_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "superseded_copies" ADD COLUMN "tried_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "superseded_copies" ADD COLUMN "failure" jsonb;--> statement-breakpoint
CREATE INDEX "superseded_copies_due" ON "superseded_copies" ("try_at") WHERE "deleted_at" is null;