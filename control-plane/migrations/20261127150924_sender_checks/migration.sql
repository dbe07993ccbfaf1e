ALTER TABLE "support_messages" ADD COLUMN "sender_check" jsonb;--> statement-breakpoint
ALTER TABLE "support_messages" ADD COLUMN "held_because" text;