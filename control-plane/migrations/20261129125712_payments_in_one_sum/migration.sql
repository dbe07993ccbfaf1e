ALTER TABLE "invoice_payments" ADD COLUMN "sum_id" uuid;--> statement-breakpoint
CREATE INDEX "invoice_payments_sum" ON "invoice_payments" ("sum_id");--> statement-breakpoint
CREATE INDEX "provider_pages_ref" ON "provider_pages" ("provider","ref");--> statement-breakpoint
ALTER TABLE "invoice_payments" ADD CONSTRAINT "invoice_payments_sum_id_invoice_payments_id_fkey" FOREIGN KEY ("sum_id") REFERENCES "invoice_payments"("id") NOT VALID;--> statement-breakpoint
ALTER TABLE "invoice_payments" VALIDATE CONSTRAINT "invoice_payments_sum_id_invoice_payments_id_fkey";