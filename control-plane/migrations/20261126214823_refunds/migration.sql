CREATE TABLE "refunds" (
	"id" uuid PRIMARY KEY,
	"invoice_id" uuid NOT NULL,
	"payment_id" uuid,
	"number" text,
	"amount" bigint NOT NULL,
	"tax" bigint NOT NULL,
	"way" text NOT NULL,
	"state" text NOT NULL,
	"reason" text NOT NULL,
	"external_ref" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone,
	"failure" text,
	"created_at" timestamp with time zone NOT NULL,
	"settled_at" timestamp with time zone,
	CONSTRAINT "refunds_amounts" CHECK ("amount" > 0 and "tax" between 0 and "amount"),
	CONSTRAINT "refunds_number_state" CHECK (("number" is not null) = ("state" = 'succeeded'))
);
--> statement-breakpoint
CREATE INDEX "refunds_invoice" ON "refunds" ("invoice_id");--> statement-breakpoint
CREATE INDEX "refunds_payment" ON "refunds" ("payment_id");--> statement-breakpoint
CREATE INDEX "refunds_next" ON "refunds" ("next_at");--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_number" ON "refunds" ("number");--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_invoice_id_invoices_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id");--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_invoice_payments_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "invoice_payments"("id");