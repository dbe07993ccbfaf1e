CREATE TABLE "plans" (
	"id" uuid PRIMARY KEY,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"limits" jsonb DEFAULT '{}' NOT NULL,
	"visible" boolean DEFAULT false NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"archived_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" uuid PRIMARY KEY,
	"user_id" uuid NOT NULL,
	"plan_id" uuid NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"area" text PRIMARY KEY,
	"value" jsonb NOT NULL,
	"revision" bigint DEFAULT 1 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "quota" jsonb DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "subscription_id" uuid;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "delete_at" timestamp with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "plans_name" ON "plans" ("name");--> statement-breakpoint
CREATE INDEX "subscriptions_user" ON "subscriptions" ("user_id","status");--> statement-breakpoint
CREATE INDEX "subscriptions_plan" ON "subscriptions" ("plan_id");--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_plan_id_plans_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id");--> statement-breakpoint
ALTER TABLE "servers" ADD CONSTRAINT "servers_subscription_id_subscriptions_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id");