CREATE TABLE "notification_channels" (
	"id" uuid PRIMARY KEY,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"target" bytea NOT NULL,
	"events" text[] NOT NULL,
	"server_ids" uuid[],
	"style" text,
	"quiet" jsonb,
	"digest" jsonb,
	"errors_at_once" boolean DEFAULT true NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"disabled_reason" text,
	"disabled_at" timestamp with time zone,
	"secret" bytea,
	"former_secret" bytea,
	"former_secret_until" timestamp with time zone,
	"verify_hash" bytea,
	"verify_until" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"last_delivered_at" timestamp with time zone,
	"paced_until" timestamp with time zone DEFAULT now() NOT NULL,
	"lease_until" timestamp with time zone,
	"lease_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_deliveries" (
	"id" uuid PRIMARY KEY,
	"channel_id" uuid NOT NULL,
	"message" jsonb NOT NULL,
	"burst_key" text NOT NULL,
	"server_id" uuid,
	"needs" text,
	"held" boolean DEFAULT false NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"merged_into" uuid,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	"status" integer,
	"answer" text,
	"error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "email_messages" ADD COLUMN "unsubscribe_url" text;--> statement-breakpoint
CREATE INDEX "notification_channels_user" ON "notification_channels" ("user_id");--> statement-breakpoint
CREATE INDEX "notification_channels_verify" ON "notification_channels" ("verify_hash");--> statement-breakpoint
CREATE INDEX "notification_deliveries_due" ON "notification_deliveries" ("next_attempt_at","channel_id") WHERE "state" = 'queued';--> statement-breakpoint
CREATE INDEX "notification_deliveries_channel" ON "notification_deliveries" ("channel_id","id");--> statement-breakpoint
CREATE INDEX "notification_deliveries_burst" ON "notification_deliveries" ("channel_id","burst_key","created_at");--> statement-breakpoint
CREATE INDEX "notification_deliveries_merged" ON "notification_deliveries" ("merged_into");--> statement-breakpoint
CREATE INDEX "notification_deliveries_created" ON "notification_deliveries" ("created_at");--> statement-breakpoint
ALTER TABLE "notification_channels" ADD CONSTRAINT "notification_channels_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_md7Eei2XqVLr_fkey" FOREIGN KEY ("channel_id") REFERENCES "notification_channels"("id") ON DELETE CASCADE;