CREATE TABLE "attachment_arrivals" (
	"id" uuid PRIMARY KEY,
	"uploader_id" uuid NOT NULL,
	"size_bytes" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "attachment_arrivals_uploader" ON "attachment_arrivals" ("uploader_id");--> statement-breakpoint
CREATE INDEX "attachment_arrivals_created" ON "attachment_arrivals" ("created_at");--> statement-breakpoint
ALTER TABLE "attachment_arrivals" ADD CONSTRAINT "attachment_arrivals_uploader_id_users_id_fkey" FOREIGN KEY ("uploader_id") REFERENCES "users"("id") ON DELETE CASCADE;