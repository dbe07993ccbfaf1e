CREATE TABLE "support_report_links" (
	"id" uuid PRIMARY KEY,
	"token_hash" bytea NOT NULL,
	"reference" text NOT NULL,
	"ticket_id" uuid NOT NULL,
	"later_ticket_id" uuid,
	"additions" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "support_report_links_token" ON "support_report_links" ("token_hash");--> statement-breakpoint
CREATE INDEX "support_report_links_ticket" ON "support_report_links" ("ticket_id");--> statement-breakpoint
CREATE INDEX "support_report_links_later" ON "support_report_links" ("later_ticket_id");--> statement-breakpoint
CREATE INDEX "support_report_links_expiry" ON "support_report_links" ("expires_at");--> statement-breakpoint
ALTER TABLE "support_report_links" ADD CONSTRAINT "support_report_links_ticket_id_support_tickets_id_fkey" FOREIGN KEY ("ticket_id") REFERENCES "support_tickets"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "support_report_links" ADD CONSTRAINT "support_report_links_later_ticket_id_support_tickets_id_fkey" FOREIGN KEY ("later_ticket_id") REFERENCES "support_tickets"("id") ON DELETE SET NULL;