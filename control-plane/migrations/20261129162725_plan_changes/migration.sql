CREATE TABLE "owed_backups" (
	"server_id" uuid PRIMARY KEY,
	"subscription_id" uuid NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"tried_at" timestamp with time zone
);
--> statement-breakpoint
DROP INDEX "billing_steps_owed_backups";--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "free_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "former_price_id" uuid;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "former_until" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "owed_backups_tried" ON "owed_backups" ("tried_at");--> statement-breakpoint
CREATE INDEX "owed_backups_subscription" ON "owed_backups" ("subscription_id");--> statement-breakpoint
CREATE INDEX "subscriptions_former" ON "subscriptions" ("former_price_id");--> statement-breakpoint
ALTER TABLE "owed_backups" ADD CONSTRAINT "owed_backups_subscription_id_subscriptions_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_former_price_id_plan_prices_id_fkey" FOREIGN KEY ("former_price_id") REFERENCES "plan_prices"("id");--> statement-breakpoint
INSERT INTO "owed_backups" ("server_id", "subscription_id", "since", "tried_at")
SELECT DISTINCT ON (substr("step", 18)) substr("step", 18)::uuid, "subscription_id", "since", nullif("done_at", "since")
FROM "billing_steps" WHERE "step" LIKE 'last_backup_owed %' ORDER BY substr("step", 18), "since" DESC;--> statement-breakpoint
DELETE FROM "billing_steps" WHERE "step" LIKE 'last_backup_owed %';--> statement-breakpoint
-- Free time was not recorded: a period that lasts more than some days longer than its cycle had some.
UPDATE "subscriptions" AS "own" SET "free_from" = "paid"."until"
FROM (
	SELECT "one"."id",
		("one"."period_start" AT TIME ZONE 'UTC' + "cycle"."lasts"::interval) AT TIME ZONE 'UTC' AS "until"
	FROM "subscriptions" AS "one"
	JOIN "plan_prices" AS "price" ON "price"."id" = "one"."price_id"
	JOIN (VALUES ('weekly', '7 days'), ('monthly', '1 month'), ('quarterly', '3 months'),
		('semiannual', '6 months'), ('yearly', '1 year'), ('biennial', '2 years'), ('triennial', '3 years'))
		AS "cycle" ("name", "lasts") ON "cycle"."name" = "price"."cycle"
) AS "paid"
WHERE "paid"."id" = "own"."id" AND "own"."period_end" > "paid"."until" + interval '3 days';--> statement-breakpoint
-- All of a period is free whose renewal the host voided.
UPDATE "subscriptions" AS "own" SET "free_from" = "period_start"
WHERE "free_from" IS NULL AND "period_start" IS NOT NULL AND (
	EXISTS (SELECT FROM "billing_steps" AS "step" WHERE "step"."subscription_id" = "own"."id"
		AND "step"."step" = 'gift' AND "step"."since" = "own"."period_start")
	OR (SELECT bool_and("invoice"."status" = 'void') FROM "invoices" AS "invoice" WHERE "invoice"."subscription_id" = "own"."id"
		AND "invoice"."kind" = 'renewal' AND "invoice"."period_start" = "own"."period_start"));
