CREATE TABLE "support_words" (
	"word" text PRIMARY KEY
);
--> statement-breakpoint
CREATE TABLE "support_words_progress" (
	"only" boolean PRIMARY KEY DEFAULT true,
	"read_to" uuid NOT NULL,
	"learned_to" uuid NOT NULL,
	"checked_to" text DEFAULT '' NOT NULL,
	CONSTRAINT "support_words_progress_only" CHECK ("only")
);
--> statement-breakpoint
DROP INDEX "support_messages_words";--> statement-breakpoint
DROP INDEX "support_tickets_subject";--> statement-breakpoint
DROP INDEX "support_tickets_subject_words";--> statement-breakpoint
CREATE INDEX "support_messages_found" ON "support_messages" USING gin (("words" || array_to_tsvector(array['#12:' || (extract(epoch from "created_at" at time zone 'UTC')::bigint >> 12)::text, '#15:' || (extract(epoch from "created_at" at time zone 'UTC')::bigint >> 15)::text, '#18:' || (extract(epoch from "created_at" at time zone 'UTC')::bigint >> 18)::text, '#21:' || (extract(epoch from "created_at" at time zone 'UTC')::bigint >> 21)::text, '#24:' || (extract(epoch from "created_at" at time zone 'UTC')::bigint >> 24)::text, '#27:' || (extract(epoch from "created_at" at time zone 'UTC')::bigint >> 27)::text]))) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "support_tickets_found" ON "support_tickets" USING gin ((to_tsvector('english'::regconfig, "subject") || array_to_tsvector(array['#12:' || (extract(epoch from "created_at" at time zone 'UTC')::bigint >> 12)::text, '#15:' || (extract(epoch from "created_at" at time zone 'UTC')::bigint >> 15)::text, '#18:' || (extract(epoch from "created_at" at time zone 'UTC')::bigint >> 18)::text, '#21:' || (extract(epoch from "created_at" at time zone 'UTC')::bigint >> 21)::text, '#24:' || (extract(epoch from "created_at" at time zone 'UTC')::bigint >> 24)::text, '#27:' || (extract(epoch from "created_at" at time zone 'UTC')::bigint >> 27)::text]))) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "support_words_alike" ON "support_words" USING gin ("word" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "support_words_begin" ON "support_words" ("word" text_pattern_ops);