CREATE TABLE "attachment_scans" (
	"attachment_id" uuid PRIMARY KEY,
	"state" text NOT NULL,
	"why" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone,
	CONSTRAINT "attachment_scans_due_while_waiting" CHECK (("state" = 'waiting') = ("due_at" is not null))
);
--> statement-breakpoint
CREATE INDEX "attachment_scans_due" ON "attachment_scans" ("due_at") WHERE "due_at" is not null;--> statement-breakpoint
ALTER TABLE "attachment_scans" ADD CONSTRAINT "attachment_scans_attachment_id_attachments_id_fkey" FOREIGN KEY ("attachment_id") REFERENCES "attachments"("id") ON DELETE CASCADE;