CREATE TABLE "support_categories" (
	"id" uuid PRIMARY KEY,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"group_id" uuid,
	"default_priority" text DEFAULT 'normal' NOT NULL,
	"fields" jsonb DEFAULT '[]' NOT NULL,
	"requires_server" boolean DEFAULT false NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "support_group_members" (
	"group_id" uuid,
	"user_id" uuid,
	"last_given_at" timestamp with time zone,
	CONSTRAINT "support_group_members_pkey" PRIMARY KEY("group_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "support_groups" (
	"id" uuid PRIMARY KEY,
	"name" text NOT NULL,
	"assignment" text DEFAULT 'manual' NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "support_drafts" (
	"user_id" uuid,
	"about" text,
	"content" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "support_drafts_pkey" PRIMARY KEY("user_id","about")
);
--> statement-breakpoint
CREATE TABLE "support_message_edits" (
	"id" uuid PRIMARY KEY,
	"message_id" uuid NOT NULL,
	"editor_id" uuid,
	"body" text NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "support_messages" (
	"id" uuid PRIMARY KEY,
	"ticket_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"author_kind" text NOT NULL,
	"author_id" uuid,
	"author_email" text,
	"body" text NOT NULL,
	"channel" text NOT NULL,
	"unverified_sender" boolean DEFAULT false NOT NULL,
	"held" boolean DEFAULT false NOT NULL,
	"mail_id" text,
	"in_reply_to" text,
	"created_at" timestamp with time zone NOT NULL,
	"edited_at" timestamp with time zone,
	"words" tsvector NOT NULL
);
--> statement-breakpoint
CREATE TABLE "support_participants" (
	"id" uuid PRIMARY KEY,
	"ticket_id" uuid NOT NULL,
	"role" text NOT NULL,
	"email" text NOT NULL,
	"user_id" uuid,
	"added_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"reply_epoch" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "support_ratings" (
	"ticket_id" uuid PRIMARY KEY,
	"score" integer NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "support_ticket_events" (
	"id" uuid PRIMARY KEY,
	"ticket_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"kind" text NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" uuid,
	"actor_name" text,
	"change" jsonb DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "support_ticket_tags" (
	"ticket_id" uuid,
	"tag" text,
	CONSTRAINT "support_ticket_tags_pkey" PRIMARY KEY("ticket_id","tag")
);
--> statement-breakpoint
CREATE TABLE "support_tickets" (
	"id" uuid PRIMARY KEY,
	"number" integer GENERATED ALWAYS AS IDENTITY (sequence name "support_tickets_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"subject" text NOT NULL,
	"status" text NOT NULL,
	"priority" text NOT NULL,
	"source" text NOT NULL,
	"category_id" uuid,
	"answers" jsonb NOT NULL,
	"group_id" uuid,
	"assignee_id" uuid,
	"requester_id" uuid,
	"requester_email" text NOT NULL,
	"server_id" uuid,
	"subscription_id" uuid,
	"tier_id" uuid,
	"spam" boolean DEFAULT false NOT NULL,
	"snoozed_until" timestamp with time zone,
	"follow_up_of" uuid,
	"merged_into" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"public_version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"touched_at" timestamp with time zone NOT NULL,
	"last_customer_at" timestamp with time zone,
	"last_agent_at" timestamp with time zone,
	"status_since" timestamp with time zone NOT NULL,
	"reminded_at" timestamp with time zone,
	"solved_at" timestamp with time zone,
	"solved_by" text,
	"closed_at" timestamp with time zone,
	"rating_asked_at" timestamp with time zone,
	"first_target_at" timestamp with time zone,
	"first_met_at" timestamp with time zone,
	"first_warned_at" timestamp with time zone,
	"first_breached_at" timestamp with time zone,
	"next_since" timestamp with time zone,
	"next_target_at" timestamp with time zone,
	"next_met_at" timestamp with time zone,
	"next_warned_at" timestamp with time zone,
	"next_breached_at" timestamp with time zone,
	"resolution_target_at" timestamp with time zone,
	"resolution_met_at" timestamp with time zone,
	"resolution_warned_at" timestamp with time zone,
	"resolution_breached_at" timestamp with time zone,
	"resolution_paused_at" timestamp with time zone,
	"resolution_paused_ms" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "support_tickets_closed" CHECK (("status" = 'closed') = ("closed_at" is not null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX "support_categories_name" ON "support_categories" ("name");--> statement-breakpoint
CREATE INDEX "support_categories_group" ON "support_categories" ("group_id");--> statement-breakpoint
CREATE INDEX "support_group_members_user" ON "support_group_members" ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "support_groups_name" ON "support_groups" ("name");--> statement-breakpoint
CREATE INDEX "support_drafts_updated" ON "support_drafts" ("updated_at");--> statement-breakpoint
CREATE INDEX "support_message_edits_message" ON "support_message_edits" ("message_id");--> statement-breakpoint
CREATE INDEX "support_message_edits_editor" ON "support_message_edits" ("editor_id");--> statement-breakpoint
CREATE INDEX "support_messages_ticket" ON "support_messages" ("ticket_id","id");--> statement-breakpoint
CREATE INDEX "support_messages_author" ON "support_messages" ("author_id");--> statement-breakpoint
CREATE UNIQUE INDEX "support_messages_mail" ON "support_messages" ("mail_id");--> statement-breakpoint
CREATE INDEX "support_messages_words" ON "support_messages" USING gin ("words");--> statement-breakpoint
CREATE UNIQUE INDEX "support_participants_address" ON "support_participants" ("ticket_id","email");--> statement-breakpoint
CREATE INDEX "support_participants_user" ON "support_participants" ("user_id");--> statement-breakpoint
CREATE INDEX "support_participants_email" ON "support_participants" ("email");--> statement-breakpoint
CREATE INDEX "support_participants_added_by" ON "support_participants" ("added_by");--> statement-breakpoint
CREATE INDEX "support_ticket_events_ticket" ON "support_ticket_events" ("ticket_id","id");--> statement-breakpoint
CREATE INDEX "support_ticket_events_actor" ON "support_ticket_events" ("actor_id");--> statement-breakpoint
CREATE INDEX "support_ticket_tags_tag" ON "support_ticket_tags" ("tag");--> statement-breakpoint
CREATE UNIQUE INDEX "support_tickets_number" ON "support_tickets" ("number");--> statement-breakpoint
CREATE INDEX "support_tickets_requester" ON "support_tickets" ("requester_id","updated_at");--> statement-breakpoint
CREATE INDEX "support_tickets_touched" ON "support_tickets" ("touched_at","id");--> statement-breakpoint
CREATE INDEX "support_tickets_status" ON "support_tickets" ("status","touched_at");--> statement-breakpoint
CREATE INDEX "support_tickets_assignee" ON "support_tickets" ("assignee_id","status");--> statement-breakpoint
CREATE INDEX "support_tickets_group" ON "support_tickets" ("group_id","status");--> statement-breakpoint
CREATE INDEX "support_tickets_category" ON "support_tickets" ("category_id");--> statement-breakpoint
CREATE INDEX "support_tickets_server" ON "support_tickets" ("server_id");--> statement-breakpoint
CREATE INDEX "support_tickets_subscription" ON "support_tickets" ("subscription_id");--> statement-breakpoint
CREATE INDEX "support_tickets_follow_up_of" ON "support_tickets" ("follow_up_of");--> statement-breakpoint
CREATE INDEX "support_tickets_merged_into" ON "support_tickets" ("merged_into");--> statement-breakpoint
CREATE INDEX "support_tickets_subject" ON "support_tickets" USING gin ("subject" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "support_tickets_snoozed" ON "support_tickets" ("snoozed_until") WHERE "snoozed_until" is not null;--> statement-breakpoint
ALTER TABLE "support_categories" ADD CONSTRAINT "support_categories_group_id_support_groups_id_fkey" FOREIGN KEY ("group_id") REFERENCES "support_groups"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "support_group_members" ADD CONSTRAINT "support_group_members_group_id_support_groups_id_fkey" FOREIGN KEY ("group_id") REFERENCES "support_groups"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "support_group_members" ADD CONSTRAINT "support_group_members_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "support_drafts" ADD CONSTRAINT "support_drafts_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "support_message_edits" ADD CONSTRAINT "support_message_edits_message_id_support_messages_id_fkey" FOREIGN KEY ("message_id") REFERENCES "support_messages"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "support_message_edits" ADD CONSTRAINT "support_message_edits_editor_id_users_id_fkey" FOREIGN KEY ("editor_id") REFERENCES "users"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "support_messages" ADD CONSTRAINT "support_messages_ticket_id_support_tickets_id_fkey" FOREIGN KEY ("ticket_id") REFERENCES "support_tickets"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "support_messages" ADD CONSTRAINT "support_messages_author_id_users_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "support_participants" ADD CONSTRAINT "support_participants_ticket_id_support_tickets_id_fkey" FOREIGN KEY ("ticket_id") REFERENCES "support_tickets"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "support_participants" ADD CONSTRAINT "support_participants_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "support_participants" ADD CONSTRAINT "support_participants_added_by_users_id_fkey" FOREIGN KEY ("added_by") REFERENCES "users"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "support_ratings" ADD CONSTRAINT "support_ratings_ticket_id_support_tickets_id_fkey" FOREIGN KEY ("ticket_id") REFERENCES "support_tickets"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "support_ticket_events" ADD CONSTRAINT "support_ticket_events_ticket_id_support_tickets_id_fkey" FOREIGN KEY ("ticket_id") REFERENCES "support_tickets"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "support_ticket_events" ADD CONSTRAINT "support_ticket_events_actor_id_users_id_fkey" FOREIGN KEY ("actor_id") REFERENCES "users"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "support_ticket_tags" ADD CONSTRAINT "support_ticket_tags_ticket_id_support_tickets_id_fkey" FOREIGN KEY ("ticket_id") REFERENCES "support_tickets"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "support_tickets" ADD CONSTRAINT "support_tickets_category_id_support_categories_id_fkey" FOREIGN KEY ("category_id") REFERENCES "support_categories"("id");--> statement-breakpoint
ALTER TABLE "support_tickets" ADD CONSTRAINT "support_tickets_group_id_support_groups_id_fkey" FOREIGN KEY ("group_id") REFERENCES "support_groups"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "support_tickets" ADD CONSTRAINT "support_tickets_assignee_id_users_id_fkey" FOREIGN KEY ("assignee_id") REFERENCES "users"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "support_tickets" ADD CONSTRAINT "support_tickets_requester_id_users_id_fkey" FOREIGN KEY ("requester_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "support_tickets" ADD CONSTRAINT "support_tickets_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "support_tickets" ADD CONSTRAINT "support_tickets_subscription_id_subscriptions_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "support_tickets" ADD CONSTRAINT "support_tickets_follow_up_of_support_tickets_id_fkey" FOREIGN KEY ("follow_up_of") REFERENCES "support_tickets"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "support_tickets" ADD CONSTRAINT "support_tickets_merged_into_support_tickets_id_fkey" FOREIGN KEY ("merged_into") REFERENCES "support_tickets"("id") ON DELETE SET NULL;