CREATE TABLE "plan_prices" (
	"id" uuid PRIMARY KEY,
	"plan_id" uuid NOT NULL,
	"cycle" text NOT NULL,
	"currency" char(3) NOT NULL,
	"amount" bigint NOT NULL,
	"setup_fee" bigint DEFAULT 0 NOT NULL,
	"trial_days" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"retired_at" timestamp with time zone,
	CONSTRAINT "plan_prices_amounts" CHECK ("amount" >= 0 and "setup_fee" >= 0 and "trial_days" >= 0)
);
--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "features" jsonb DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "preset" jsonb;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "stock" integer;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "per_customer_max" integer;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "visibility" text DEFAULT 'hidden' NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "active" boolean DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX "plan_prices_plan" ON "plan_prices" ("plan_id");--> statement-breakpoint
CREATE UNIQUE INDEX "plan_prices_current" ON "plan_prices" ("plan_id","cycle","currency") WHERE "retired_at" is null;--> statement-breakpoint
ALTER TABLE "plan_prices" ADD CONSTRAINT "plan_prices_plan_id_plans_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_stock" CHECK ("stock" >= 0 and "per_customer_max" > 0);