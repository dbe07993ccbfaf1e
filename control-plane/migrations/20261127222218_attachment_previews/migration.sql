CREATE TABLE "attachment_previews" (
	"attachment_id" uuid PRIMARY KEY,
	"state" text NOT NULL,
	"sha256" text,
	"width" integer,
	"height" integer,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone,
	CONSTRAINT "attachment_previews_due_while_waiting" CHECK (("state" = 'waiting') = ("due_at" is not null)),
	CONSTRAINT "attachment_previews_made_whole" CHECK (("state" = 'made') = (num_nulls("sha256", "width", "height") = 0))
);
--> statement-breakpoint
CREATE INDEX "attachment_previews_due" ON "attachment_previews" ("due_at") WHERE "due_at" is not null;--> statement-breakpoint
ALTER TABLE "attachment_previews" ADD CONSTRAINT "attachment_previews_attachment_id_attachments_id_fkey" FOREIGN KEY ("attachment_id") REFERENCES "attachments"("id") ON DELETE CASCADE;