CREATE TABLE "billing_addresses" (
	"user_id" uuid PRIMARY KEY,
	"address" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "sender" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "billing_addresses" ADD CONSTRAINT "billing_addresses_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;