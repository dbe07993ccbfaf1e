CREATE TABLE "attachments" (
	"id" uuid PRIMARY KEY,
	"uploader_id" uuid,
	"message_kind" text,
	"message_id" uuid,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"sha256" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "attachments_message_whole" CHECK (("message_kind" is null) = ("message_id" is null))
);
--> statement-breakpoint
CREATE TABLE "appeal_messages" (
	"id" uuid PRIMARY KEY,
	"appeal_id" uuid NOT NULL,
	"sender" text NOT NULL,
	"author_id" uuid,
	"text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "appeals" (
	"id" uuid PRIMARY KEY,
	"suspension_id" uuid NOT NULL,
	"state" text NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"waiting_since" timestamp with time zone,
	"decided_at" timestamp with time zone,
	"decided_by" uuid,
	CONSTRAINT "appeals_decided" CHECK (("decided_at" is not null) = ("state" in ('granted', 'rejected', 'withdrawn')))
);
--> statement-breakpoint
CREATE TABLE "suspension_notes" (
	"id" uuid PRIMARY KEY,
	"suspension_id" uuid NOT NULL,
	"author_id" uuid,
	"text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "suspensions" (
	"id" uuid PRIMARY KEY,
	"customer_id" uuid NOT NULL,
	"reason_code" text NOT NULL,
	"public_reason" text NOT NULL,
	"options" jsonb NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone,
	"created_by" uuid,
	"lifted_at" timestamp with time zone,
	"lifted_by" uuid,
	"lift_reason" text,
	"delete_servers_at" timestamp with time zone,
	"servers_deleted_at" timestamp with time zone,
	"erased_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "restriction" jsonb;--> statement-breakpoint
CREATE INDEX "attachments_message" ON "attachments" ("message_id");--> statement-breakpoint
CREATE INDEX "attachments_uploader" ON "attachments" ("uploader_id");--> statement-breakpoint
CREATE INDEX "attachments_unsent" ON "attachments" ("created_at") WHERE "message_id" is null;--> statement-breakpoint
CREATE INDEX "appeal_messages_appeal" ON "appeal_messages" ("appeal_id","id");--> statement-breakpoint
CREATE INDEX "appeal_messages_author" ON "appeal_messages" ("author_id");--> statement-breakpoint
CREATE UNIQUE INDEX "appeals_one_open" ON "appeals" ("suspension_id") WHERE "decided_at" is null;--> statement-breakpoint
CREATE INDEX "appeals_suspension" ON "appeals" ("suspension_id","id");--> statement-breakpoint
CREATE INDEX "appeals_waiting" ON "appeals" ("waiting_since") WHERE "waiting_since" is not null;--> statement-breakpoint
CREATE INDEX "appeals_decided_by" ON "appeals" ("decided_by");--> statement-breakpoint
CREATE INDEX "suspension_notes_suspension" ON "suspension_notes" ("suspension_id","id");--> statement-breakpoint
CREATE INDEX "suspension_notes_author" ON "suspension_notes" ("author_id");--> statement-breakpoint
CREATE UNIQUE INDEX "suspensions_one_active" ON "suspensions" ("customer_id") WHERE "lifted_at" is null;--> statement-breakpoint
CREATE INDEX "suspensions_customer" ON "suspensions" ("customer_id","id");--> statement-breakpoint
CREATE INDEX "suspensions_ending" ON "suspensions" ("ends_at") WHERE "lifted_at" is null;--> statement-breakpoint
CREATE INDEX "suspensions_created_by" ON "suspensions" ("created_by");--> statement-breakpoint
CREATE INDEX "suspensions_lifted_by" ON "suspensions" ("lifted_by");--> statement-breakpoint
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_uploader_id_users_id_fkey" FOREIGN KEY ("uploader_id") REFERENCES "users"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "appeal_messages" ADD CONSTRAINT "appeal_messages_appeal_id_appeals_id_fkey" FOREIGN KEY ("appeal_id") REFERENCES "appeals"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "appeal_messages" ADD CONSTRAINT "appeal_messages_author_id_users_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "appeals" ADD CONSTRAINT "appeals_suspension_id_suspensions_id_fkey" FOREIGN KEY ("suspension_id") REFERENCES "suspensions"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "appeals" ADD CONSTRAINT "appeals_decided_by_users_id_fkey" FOREIGN KEY ("decided_by") REFERENCES "users"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "suspension_notes" ADD CONSTRAINT "suspension_notes_suspension_id_suspensions_id_fkey" FOREIGN KEY ("suspension_id") REFERENCES "suspensions"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "suspension_notes" ADD CONSTRAINT "suspension_notes_author_id_users_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "suspensions" ADD CONSTRAINT "suspensions_customer_id_users_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "suspensions" ADD CONSTRAINT "suspensions_created_by_users_id_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "suspensions" ADD CONSTRAINT "suspensions_lifted_by_users_id_fkey" FOREIGN KEY ("lifted_by") REFERENCES "users"("id") ON DELETE SET NULL;