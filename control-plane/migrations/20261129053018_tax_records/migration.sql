CREATE TABLE "tax_records" (
	"id" uuid PRIMARY KEY,
	"invoice_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"cause_id" uuid NOT NULL,
	"plugin" text NOT NULL,
	"reference" text NOT NULL,
	"amount" bigint NOT NULL,
	"quote" jsonb,
	"at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone,
	"failure" text,
	"external_ref" text
);
--> statement-breakpoint
ALTER TABLE "tax_quotes" ADD COLUMN "ref" text;--> statement-breakpoint
CREATE UNIQUE INDEX "tax_records_cause" ON "tax_records" ("invoice_id","kind","cause_id");--> statement-breakpoint
CREATE INDEX "tax_records_cause_id" ON "tax_records" ("cause_id");--> statement-breakpoint
CREATE INDEX "tax_records_next" ON "tax_records" ("next_at");--> statement-breakpoint
ALTER TABLE "tax_records" ADD CONSTRAINT "tax_records_invoice_id_invoices_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id");