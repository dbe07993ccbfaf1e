CREATE TABLE "viewings" (
	"id" uuid PRIMARY KEY,
	"session_id" uuid,
	"viewer_id" uuid NOT NULL,
	"viewer_email" text NOT NULL,
	"customer_id" uuid NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "viewings_session" ON "viewings" ("session_id");--> statement-breakpoint
CREATE INDEX "viewings_customer" ON "viewings" ("customer_id","started_at");--> statement-breakpoint
CREATE INDEX "viewings_open" ON "viewings" ("expires_at") WHERE "ended_at" is null;--> statement-breakpoint
ALTER TABLE "viewings" ADD CONSTRAINT "viewings_session_id_sessions_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "viewings" ADD CONSTRAINT "viewings_customer_id_users_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "users"("id") ON DELETE CASCADE;