CREATE TABLE "tax_quotes" (
	"fingerprint" text PRIMARY KEY,
	"taxes" jsonb NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tax_waits" (
	"subscription_id" uuid PRIMARY KEY,
	"since" timestamp with time zone NOT NULL,
	"tries" integer NOT NULL,
	"failure" text NOT NULL,
	"needs_address" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "billing_addresses" ADD COLUMN "country" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "billing_addresses" ADD COLUMN "postal_code" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "billing_addresses" ADD COLUMN "region" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "billing_addresses" ADD COLUMN "tax_number" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "tax_quotes_expires" ON "tax_quotes" ("expires_at");--> statement-breakpoint
ALTER TABLE "tax_waits" ADD CONSTRAINT "tax_waits_subscription_id_subscriptions_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id") ON DELETE CASCADE;