ALTER TABLE "email_templates" ALTER COLUMN "subject" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "email_templates" ALTER COLUMN "body" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "email_templates" ADD CONSTRAINT "email_templates_wording_whole" CHECK (("subject" is null) = ("body" is null) and ("body" is not null or "html" is null));