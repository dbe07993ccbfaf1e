CREATE TABLE "customer_notes" (
	"id" uuid PRIMARY KEY,
	"customer_id" uuid NOT NULL,
	"author_id" uuid,
	"content" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"edited_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "followed" text[] DEFAULT '{}'::text[] NOT NULL;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "detected_memory_mb" integer;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "detected_cpu_percent" integer;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "detected_disk_mb" integer;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "hardware" jsonb;--> statement-breakpoint
CREATE INDEX "customer_notes_customer" ON "customer_notes" ("customer_id","id");--> statement-breakpoint
CREATE INDEX "customer_notes_author" ON "customer_notes" ("author_id");--> statement-breakpoint
ALTER TABLE "customer_notes" ADD CONSTRAINT "customer_notes_customer_id_users_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "customer_notes" ADD CONSTRAINT "customer_notes_author_id_users_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE SET NULL;