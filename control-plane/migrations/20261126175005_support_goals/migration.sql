CREATE TABLE "support_watches" (
	"ticket_id" uuid PRIMARY KEY,
	"due_at" timestamp with time zone,
	"idle_since" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "support_tier_plans" (
	"plan_id" uuid PRIMARY KEY,
	"tier_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "support_tiers" (
	"id" uuid PRIMARY KEY,
	"name" text NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"calendar" text NOT NULL,
	"goals" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "support_watches_due" ON "support_watches" ("due_at");--> statement-breakpoint
CREATE INDEX "support_watches_idle" ON "support_watches" ("idle_since");--> statement-breakpoint
CREATE INDEX "support_tier_plans_tier" ON "support_tier_plans" ("tier_id");--> statement-breakpoint
CREATE UNIQUE INDEX "support_tiers_name" ON "support_tiers" ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "support_tiers_default" ON "support_tiers" ("is_default") WHERE "is_default";--> statement-breakpoint
ALTER TABLE "support_watches" ADD CONSTRAINT "support_watches_ticket_id_support_tickets_id_fkey" FOREIGN KEY ("ticket_id") REFERENCES "support_tickets"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "support_tier_plans" ADD CONSTRAINT "support_tier_plans_plan_id_plans_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "support_tier_plans" ADD CONSTRAINT "support_tier_plans_tier_id_support_tiers_id_fkey" FOREIGN KEY ("tier_id") REFERENCES "support_tiers"("id") ON DELETE CASCADE;--> statement-breakpoint
-- Without a promise until the host makes one.
INSERT INTO "support_tiers" ("id", "name", "is_default", "calendar", "goals") VALUES (gen_random_uuid(), 'Standard', true, 'business', '{"low": {"firstResponseMin": null, "nextResponseMin": null, "resolutionMin": null}, "normal": {"firstResponseMin": null, "nextResponseMin": null, "resolutionMin": null}, "high": {"firstResponseMin": null, "nextResponseMin": null, "resolutionMin": null}, "urgent": {"firstResponseMin": null, "nextResponseMin": null, "resolutionMin": null}}');
