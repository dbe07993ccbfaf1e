CREATE TABLE "revenue_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "revenue_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone NOT NULL,
	"customer_id" uuid NOT NULL,
	"subscription_id" uuid NOT NULL,
	"plan_id" uuid NOT NULL,
	"price_id" uuid NOT NULL,
	"currency" char(3) NOT NULL,
	"amount" bigint NOT NULL,
	"balance" bigint NOT NULL,
	CONSTRAINT "revenue_entries_amount" CHECK ("amount" <> 0),
	CONSTRAINT "revenue_entries_balance" CHECK ("balance" >= 0)
);
--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "voided_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "invoice_payments_received" ON "invoice_payments" ("received_at");--> statement-breakpoint
CREATE INDEX "invoices_issued" ON "invoices" ("issued_at");--> statement-breakpoint
CREATE INDEX "invoices_overdue" ON "invoices" ("due_at") WHERE "kind" = 'renewal' and "due_at" < coalesce("paid_at", "voided_at", 'infinity');--> statement-breakpoint
CREATE INDEX "refunds_settled" ON "refunds" ("settled_at");--> statement-breakpoint
CREATE INDEX "revenue_entries_at" ON "revenue_entries" ("at");--> statement-breakpoint
CREATE INDEX "revenue_entries_customer" ON "revenue_entries" ("customer_id","currency","id");--> statement-breakpoint
CREATE INDEX "revenue_entries_subscription" ON "revenue_entries" ("subscription_id","id");--> statement-breakpoint
-- What can be known of the past: when each subscription was first paid, and when it ended or was
-- suspended. Its former prices and suspensions are not, so it counts with its present price throughout.
INSERT INTO "revenue_entries"
	("at", "customer_id", "subscription_id", "plan_id", "price_id", "currency", "amount", "balance")
WITH "paid" AS (
	SELECT "subscription_id", min("paid_at") AS "at" FROM "invoices"
	WHERE "status" = 'paid' AND "kind" IN ('first', 'renewal') GROUP BY "subscription_id"
), "known" AS (
	SELECT "own"."id", "own"."user_id", "price"."plan_id", "price"."id" AS "price_id", "price"."currency",
		("price"."amount" * "times" * 2 + "months") / ("months" * 2) AS "amount",
		greatest(coalesce("paid"."at", "own"."anchor"), "own"."trial_ends_at") AS "began",
		CASE WHEN "own"."status" IN ('canceled', 'suspended')
			THEN coalesce("own"."suspended_at", "own"."ended_at") END AS "ended"
	FROM "subscriptions" AS "own"
	JOIN "plan_prices" AS "price" ON "price"."id" = "own"."price_id"
	JOIN (VALUES ('weekly', 52, 12), ('monthly', 1, 1), ('quarterly', 1, 3), ('semiannual', 1, 6),
		('yearly', 1, 12), ('biennial', 1, 24), ('triennial', 1, 36)) AS "cycle" ("name", "times", "months")
		ON "cycle"."name" = "price"."cycle"
	LEFT JOIN "paid" ON "paid"."subscription_id" = "own"."id"
	WHERE "own"."anchor" IS NOT NULL
		AND "own"."status" IN ('active', 'past_due', 'suspended', 'canceled')
), "entry" AS (
	SELECT "began" AS "at", "amount" AS "change", "known".* FROM "known"
	WHERE "amount" > 0 AND ("ended" IS NULL OR "ended" > "began")
	UNION ALL
	SELECT "ended", -"amount", "known".* FROM "known" WHERE "amount" > 0 AND "ended" > "began"
)
SELECT "at", "user_id", "id", "plan_id", "price_id", "currency", "change",
	sum("change") OVER (PARTITION BY "user_id", "currency"
		ORDER BY "at", "change" < 0, "id" ROWS UNBOUNDED PRECEDING)
FROM "entry" ORDER BY "at", "change" < 0, "id";
