CREATE TABLE "imports" (
	"id" uuid PRIMARY KEY,
	"panel" text NOT NULL,
	"origin" text NOT NULL,
	"is_dry_run" boolean NOT NULL,
	"invites" boolean NOT NULL,
	"tally" jsonb NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"failure" text
);
--> statement-breakpoint
ALTER TABLE "imported_records" ADD COLUMN "fingerprint" text;--> statement-breakpoint
CREATE INDEX "imports_origin" ON "imports" ("origin");