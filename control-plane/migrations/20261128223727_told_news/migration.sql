CREATE TABLE "told_announcements" (
	"id" text PRIMARY KEY,
	"told_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "told_little_room" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "plugins" ADD COLUMN "newest_version" text;--> statement-breakpoint
ALTER TABLE "signup_requests" ADD COLUMN "language" text;