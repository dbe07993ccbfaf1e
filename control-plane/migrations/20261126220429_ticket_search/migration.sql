CREATE INDEX "support_messages_held" ON "support_messages" ("ticket_id") WHERE "held";--> statement-breakpoint
CREATE INDEX "support_tickets_subject_words" ON "support_tickets" USING gin (to_tsvector('english'::regconfig, "subject"));--> statement-breakpoint
CREATE INDEX "support_tickets_unsolved" ON "support_tickets" ("touched_at","id") WHERE "status" not in ('solved', 'closed');--> statement-breakpoint
CREATE INDEX "support_tickets_spam" ON "support_tickets" ("touched_at","id") WHERE "spam";