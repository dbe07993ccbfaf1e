CREATE TABLE "support_unchecked_mails" (
	"mail_id" text PRIMARY KEY,
	"attempts" integer DEFAULT 1 NOT NULL,
	"first_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "support_unchecked_mails_first" ON "support_unchecked_mails" ("first_at");