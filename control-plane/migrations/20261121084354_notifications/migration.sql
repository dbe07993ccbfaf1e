CREATE TABLE "limit_notices" (
	"user_id" uuid,
	"limit" text,
	"kind" text,
	"told_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "limit_notices_pkey" PRIMARY KEY("user_id","limit","kind")
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" uuid PRIMARY KEY,
	"user_id" uuid NOT NULL,
	"type" text NOT NULL,
	"severity" text NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"link" text,
	"group_key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "notifications_user" ON "notifications" ("user_id","id");--> statement-breakpoint
CREATE INDEX "notifications_unread" ON "notifications" ("user_id") WHERE "read_at" is null;--> statement-breakpoint
CREATE INDEX "notifications_created" ON "notifications" ("created_at");--> statement-breakpoint
ALTER TABLE "limit_notices" ADD CONSTRAINT "limit_notices_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;