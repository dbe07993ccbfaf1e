ALTER TABLE "invoice_payments" ADD COLUMN "taken_back" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "invoice_payments" ADD COLUMN "seen_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "refunds" DROP CONSTRAINT "refunds_number_state", ADD CONSTRAINT "refunds_number_state" CHECK (("number" is not null) = ("state" in ('succeeded', 'reversed')));