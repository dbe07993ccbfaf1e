ALTER TABLE "email_templates" ADD COLUMN "built_in_subject" text;--> statement-breakpoint
ALTER TABLE "email_templates" ADD COLUMN "built_in_body" text;