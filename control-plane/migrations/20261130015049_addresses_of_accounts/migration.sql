-- Whoever takes part with an account is reached at its address; earlier changes of that left the former one behind.
DELETE FROM "support_participants" WHERE "id" IN (
	SELECT "id" FROM (
		SELECT "one"."id", row_number() OVER (
			PARTITION BY "one"."ticket_id", coalesce("users"."email", "one"."email")
			ORDER BY "one"."role" = 'requester' DESC, "users"."id" IS NOT NULL DESC, "one"."id"
		) AS "place"
		FROM "support_participants" "one" LEFT JOIN "users" ON "users"."id" = "one"."user_id"
	) "ranked" WHERE "place" > 1
);
--> statement-breakpoint
-- In two steps, as somebody may have the former address of another one in the same ticket.
UPDATE "support_participants" "one" SET "email" = "one"."id"::text, "reply_epoch" = "one"."reply_epoch" + 1
FROM "users" WHERE "users"."id" = "one"."user_id" AND "users"."email" <> "one"."email";
--> statement-breakpoint
UPDATE "support_participants" "one" SET "email" = "users"."email"
FROM "users" WHERE "users"."id" = "one"."user_id" AND "one"."email" = "one"."id"::text;
--> statement-breakpoint
UPDATE "support_tickets" "one" SET "requester_email" = "users"."email"
FROM "users" WHERE "users"."id" = "one"."requester_id" AND "users"."email" <> "one"."requester_email";
