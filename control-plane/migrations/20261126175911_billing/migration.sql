CREATE TABLE "balance_entries" (
	"id" uuid PRIMARY KEY,
	"user_id" uuid NOT NULL,
	"currency" char(3) NOT NULL,
	"amount" bigint NOT NULL,
	"invoice_id" uuid,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_steps" (
	"subscription_id" uuid,
	"step" text,
	"since" timestamp with time zone,
	"done_at" timestamp with time zone NOT NULL,
	CONSTRAINT "billing_steps_pkey" PRIMARY KEY("subscription_id","step","since")
);
--> statement-breakpoint
CREATE TABLE "invoice_payments" (
	"id" uuid PRIMARY KEY,
	"invoice_id" uuid NOT NULL,
	"amount" bigint NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"reference" text DEFAULT '' NOT NULL,
	"provider" text NOT NULL,
	"external_ref" text,
	"recorded_at" timestamp with time zone NOT NULL,
	CONSTRAINT "invoice_payments_amount" CHECK ("amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "invoice_series" (
	"name" text PRIMARY KEY,
	"next" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"id" uuid PRIMARY KEY,
	"number" text NOT NULL,
	"user_id" uuid,
	"subscription_id" uuid,
	"plan_name" text NOT NULL,
	"buyer" jsonb NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"currency" char(3) NOT NULL,
	"lines" jsonb NOT NULL,
	"total" bigint NOT NULL,
	"amount_paid" bigint DEFAULT 0 NOT NULL,
	"period_start" timestamp with time zone,
	"period_end" timestamp with time zone,
	"issued_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"paid_at" timestamp with time zone,
	CONSTRAINT "invoices_amounts" CHECK ("total" >= 0 and "amount_paid" between 0 and "total")
);
--> statement-breakpoint
CREATE TABLE "provider_events" (
	"id" uuid PRIMARY KEY,
	"provider" text NOT NULL,
	"event_id" text NOT NULL,
	"type" text NOT NULL,
	"objects" jsonb NOT NULL,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone,
	"failure" text,
	"received_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "server_orders" (
	"id" uuid PRIMARY KEY,
	"subscription_id" uuid,
	"name" text NOT NULL,
	"template_id" uuid NOT NULL,
	"location" text,
	"preset" jsonb NOT NULL,
	"node_id" uuid,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone,
	"failure" text
);
--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "price_id" uuid;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "suspended_for" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "suspended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "anchor" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "period_start" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "period_end" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "trial_ends_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "cancel_at_period_end" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "pending_price_id" uuid;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "pending_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "pending_invoice_id" uuid;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "past_due_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "hold_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "ended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "next_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "balance_entries_user" ON "balance_entries" ("user_id","currency");--> statement-breakpoint
CREATE INDEX "balance_entries_invoice" ON "balance_entries" ("invoice_id");--> statement-breakpoint
CREATE INDEX "invoice_payments_invoice" ON "invoice_payments" ("invoice_id");--> statement-breakpoint
CREATE UNIQUE INDEX "invoice_payments_external" ON "invoice_payments" ("provider","external_ref");--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_number" ON "invoices" ("number");--> statement-breakpoint
CREATE INDEX "invoices_user" ON "invoices" ("user_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_period" ON "invoices" ("subscription_id","period_start") WHERE "status" <> 'void' and "kind" = 'renewal';--> statement-breakpoint
CREATE INDEX "invoices_subscription" ON "invoices" ("subscription_id");--> statement-breakpoint
CREATE UNIQUE INDEX "provider_events_event" ON "provider_events" ("provider","event_id");--> statement-breakpoint
CREATE INDEX "provider_events_next" ON "provider_events" ("next_at");--> statement-breakpoint
CREATE UNIQUE INDEX "server_orders_subscription" ON "server_orders" ("subscription_id");--> statement-breakpoint
CREATE INDEX "server_orders_next" ON "server_orders" ("next_at");--> statement-breakpoint
CREATE INDEX "subscriptions_price" ON "subscriptions" ("price_id");--> statement-breakpoint
CREATE INDEX "subscriptions_pending" ON "subscriptions" ("pending_price_id");--> statement-breakpoint
CREATE INDEX "subscriptions_next" ON "subscriptions" ("next_at");--> statement-breakpoint
CREATE UNIQUE INDEX "servers_subscription" ON "servers" ("subscription_id");--> statement-breakpoint
ALTER TABLE "balance_entries" ADD CONSTRAINT "balance_entries_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "balance_entries" ADD CONSTRAINT "balance_entries_invoice_id_invoices_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id");--> statement-breakpoint
ALTER TABLE "billing_steps" ADD CONSTRAINT "billing_steps_subscription_id_subscriptions_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "invoice_payments" ADD CONSTRAINT "invoice_payments_invoice_id_invoices_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id");--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_subscription_id_subscriptions_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "server_orders" ADD CONSTRAINT "server_orders_subscription_id_subscriptions_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_price_id_plan_prices_id_fkey" FOREIGN KEY ("price_id") REFERENCES "plan_prices"("id");--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_pending_price_id_plan_prices_id_fkey" FOREIGN KEY ("pending_price_id") REFERENCES "plan_prices"("id");--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_suspended" CHECK (("status" = 'suspended') or "suspended_for" is null);