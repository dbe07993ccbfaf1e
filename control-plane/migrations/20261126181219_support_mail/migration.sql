CREATE TABLE "support_mails" (
	"id" uuid PRIMARY KEY,
	"mail_id" text NOT NULL,
	"delivery_id" text,
	"sender" text NOT NULL,
	"ticket_id" uuid,
	"result" text NOT NULL,
	"because" text,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "support_macros" (
	"id" uuid PRIMARY KEY,
	"name" text NOT NULL,
	"scope" text NOT NULL,
	"group_id" uuid,
	"owner_id" uuid,
	"actions" jsonb NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "support_macros_scope" CHECK (("scope" = 'group') = ("group_id" is not null)
        and ("scope" = 'personal') = ("owner_id" is not null))
);
--> statement-breakpoint
ALTER TABLE "email_messages" ADD COLUMN "conversation" jsonb;--> statement-breakpoint
CREATE UNIQUE INDEX "support_mails_mail" ON "support_mails" ("mail_id");--> statement-breakpoint
CREATE UNIQUE INDEX "support_mails_delivery" ON "support_mails" ("delivery_id");--> statement-breakpoint
CREATE INDEX "support_mails_ticket" ON "support_mails" ("ticket_id","at");--> statement-breakpoint
CREATE INDEX "support_mails_sender" ON "support_mails" ("sender","at");--> statement-breakpoint
CREATE INDEX "support_mails_at" ON "support_mails" ("at");--> statement-breakpoint
CREATE INDEX "support_macros_group" ON "support_macros" ("group_id");--> statement-breakpoint
CREATE INDEX "support_macros_owner" ON "support_macros" ("owner_id");--> statement-breakpoint
ALTER TABLE "support_mails" ADD CONSTRAINT "support_mails_ticket_id_support_tickets_id_fkey" FOREIGN KEY ("ticket_id") REFERENCES "support_tickets"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "support_macros" ADD CONSTRAINT "support_macros_group_id_support_groups_id_fkey" FOREIGN KEY ("group_id") REFERENCES "support_groups"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "support_macros" ADD CONSTRAINT "support_macros_owner_id_users_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE CASCADE;