CREATE TABLE "taken_back_entries" (
	"id" uuid PRIMARY KEY,
	"payment_id" uuid NOT NULL,
	"dispute" text,
	"amount" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "taken_back_entries_amount" CHECK ("amount" <> 0)
);
--> statement-breakpoint
CREATE INDEX "taken_back_entries_payment" ON "taken_back_entries" ("payment_id");--> statement-breakpoint
CREATE INDEX "taken_back_entries_at" ON "taken_back_entries" ("at");--> statement-breakpoint
ALTER TABLE "taken_back_entries" ADD CONSTRAINT "taken_back_entries_payment_id_invoice_payments_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "invoice_payments"("id");