CREATE TABLE "provider_pages" (
	"invoice_id" uuid,
	"provider" text,
	"ref" text,
	"opened_at" timestamp with time zone NOT NULL,
	"next_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone,
	CONSTRAINT "provider_pages_pkey" PRIMARY KEY("invoice_id","provider","ref")
);
--> statement-breakpoint
CREATE INDEX "provider_pages_next" ON "provider_pages" ("next_at");--> statement-breakpoint
ALTER TABLE "provider_pages" ADD CONSTRAINT "provider_pages_invoice_id_invoices_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id");