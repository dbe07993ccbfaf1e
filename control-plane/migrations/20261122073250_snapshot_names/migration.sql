-- Of those with one name the oldest keeps it.
UPDATE "vm_snapshots" SET "name" = left("name", 51) || ' ' || right("vm_snapshots"."id"::text, 12)
  FROM (SELECT "id", row_number() OVER (PARTITION BY "server_id", lower("name") ORDER BY "created_at", "id") AS "rank" FROM "vm_snapshots") "later"
  WHERE "later"."id" = "vm_snapshots"."id" AND "later"."rank" > 1;--> statement-breakpoint
CREATE UNIQUE INDEX "vm_snapshots_name" ON "vm_snapshots" ("server_id",lower("name"));
