CREATE TABLE "invoices_together" (
	"lead_id" uuid,
	"invoice_id" uuid,
	CONSTRAINT "invoices_together_pkey" PRIMARY KEY("lead_id","invoice_id")
);
--> statement-breakpoint
CREATE INDEX "invoices_together_invoice" ON "invoices_together" ("invoice_id");--> statement-breakpoint
ALTER TABLE "invoices_together" ADD CONSTRAINT "invoices_together_lead_id_invoices_id_fkey" FOREIGN KEY ("lead_id") REFERENCES "invoices"("id");--> statement-breakpoint
ALTER TABLE "invoices_together" ADD CONSTRAINT "invoices_together_invoice_id_invoices_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id");