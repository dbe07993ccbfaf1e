CREATE TABLE "support_reads" (
	"user_id" uuid,
	"ticket_id" uuid,
	"read_at" timestamp with time zone NOT NULL,
	CONSTRAINT "support_reads_pkey" PRIMARY KEY("user_id","ticket_id")
);
--> statement-breakpoint
CREATE INDEX "support_reads_ticket" ON "support_reads" ("ticket_id");--> statement-breakpoint
ALTER TABLE "support_reads" ADD CONSTRAINT "support_reads_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "support_reads" ADD CONSTRAINT "support_reads_ticket_id_support_tickets_id_fkey" FOREIGN KEY ("ticket_id") REFERENCES "support_tickets"("id") ON DELETE CASCADE;--> statement-breakpoint
-- Customers have seen the answers that came before there was a mark for unread ones.
INSERT INTO "support_reads" ("user_id", "ticket_id", "read_at")
SELECT "requester_id", "id", now() FROM "support_tickets"
WHERE "requester_id" IS NOT NULL AND "last_agent_at" IS NOT NULL;
