CREATE TABLE "invoice_charges" (
	"id" uuid PRIMARY KEY,
	"invoice_id" uuid NOT NULL,
	"attempt" integer NOT NULL,
	"provider" text NOT NULL,
	"amount" bigint NOT NULL,
	"state" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone,
	"external_ref" text,
	"failure" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provider_customers" (
	"user_id" uuid,
	"provider" text,
	"ref" text NOT NULL,
	"auto_charge" text DEFAULT 'off' NOT NULL,
	"method" text,
	"expires" text,
	CONSTRAINT "provider_customers_pkey" PRIMARY KEY("user_id","provider")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "invoice_charges_attempt" ON "invoice_charges" ("invoice_id","attempt");--> statement-breakpoint
CREATE INDEX "invoice_charges_next" ON "invoice_charges" ("next_at");--> statement-breakpoint
CREATE INDEX "invoice_charges_ref" ON "invoice_charges" ("provider","external_ref");--> statement-breakpoint
ALTER TABLE "invoice_charges" ADD CONSTRAINT "invoice_charges_invoice_id_invoices_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id");--> statement-breakpoint
ALTER TABLE "provider_customers" ADD CONSTRAINT "provider_customers_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;