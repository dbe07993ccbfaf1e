CREATE TABLE "status_clock" (
	"id" smallint PRIMARY KEY,
	"recorded_until" timestamp with time zone NOT NULL,
	"unbroken_since" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "status_components" (
	"id" uuid PRIMARY KEY,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"source" text NOT NULL,
	"location" text,
	"health" text DEFAULT 'operational' NOT NULL,
	"shown" boolean NOT NULL,
	"position" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "status_components_source" CHECK (("source" = 'location') = ("location" is not null))
);
--> statement-breakpoint
CREATE TABLE "status_incident_components" (
	"incident_id" uuid,
	"component_id" uuid,
	CONSTRAINT "status_incident_components_pkey" PRIMARY KEY("incident_id","component_id")
);
--> statement-breakpoint
CREATE TABLE "status_incidents" (
	"id" uuid PRIMARY KEY,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"state" text,
	"impact" text,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"cancelled" boolean DEFAULT false NOT NULL,
	"announced" boolean NOT NULL,
	"published_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "status_incidents_kind" CHECK (("kind" = 'incident') = ("state" is not null)
        and ("kind" = 'incident') = ("impact" is not null)
        and ("kind" = 'maintenance') = ("ends_at" is not null)),
	CONSTRAINT "status_incidents_times" CHECK ("starts_at" < "ends_at")
);
--> statement-breakpoint
CREATE TABLE "status_mailings" (
	"update_id" uuid PRIMARY KEY,
	"after" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "status_requests" (
	"id" uuid PRIMARY KEY,
	"address" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "status_spans" (
	"component_id" uuid,
	"from" timestamp with time zone,
	"until" timestamp with time zone NOT NULL,
	"state" text NOT NULL,
	CONSTRAINT "status_spans_pkey" PRIMARY KEY("component_id","from"),
	CONSTRAINT "status_spans_order" CHECK ("from" < "until")
);
--> statement-breakpoint
CREATE TABLE "status_subscribers" (
	"id" uuid PRIMARY KEY,
	"address" text NOT NULL,
	"confirm_hash" bytea,
	"confirm_until" timestamp with time zone,
	"confirmed_at" timestamp with time zone,
	"asked_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "status_updates" (
	"id" uuid PRIMARY KEY,
	"incident_id" uuid NOT NULL,
	"state" text NOT NULL,
	"body" text NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "status_components_location" ON "status_components" ("location");--> statement-breakpoint
CREATE INDEX "status_incident_components_component" ON "status_incident_components" ("component_id");--> statement-breakpoint
CREATE INDEX "status_incidents_starts" ON "status_incidents" ("starts_at","id");--> statement-breakpoint
CREATE INDEX "status_spans_until" ON "status_spans" ("until");--> statement-breakpoint
CREATE UNIQUE INDEX "status_subscribers_address" ON "status_subscribers" ("address");--> statement-breakpoint
CREATE UNIQUE INDEX "status_subscribers_confirm" ON "status_subscribers" ("confirm_hash");--> statement-breakpoint
CREATE INDEX "status_subscribers_confirmed" ON "status_subscribers" ("id") WHERE "confirmed_at" is not null;--> statement-breakpoint
CREATE INDEX "status_subscribers_until" ON "status_subscribers" ("confirm_until");--> statement-breakpoint
CREATE INDEX "status_updates_incident" ON "status_updates" ("incident_id","id");--> statement-breakpoint
ALTER TABLE "status_incident_components" ADD CONSTRAINT "status_incident_components_incident_id_status_incidents_id_fkey" FOREIGN KEY ("incident_id") REFERENCES "status_incidents"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "status_incident_components" ADD CONSTRAINT "status_incident_components_Wc0Ly6ol7D90_fkey" FOREIGN KEY ("component_id") REFERENCES "status_components"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "status_mailings" ADD CONSTRAINT "status_mailings_update_id_status_updates_id_fkey" FOREIGN KEY ("update_id") REFERENCES "status_updates"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "status_spans" ADD CONSTRAINT "status_spans_component_id_status_components_id_fkey" FOREIGN KEY ("component_id") REFERENCES "status_components"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "status_updates" ADD CONSTRAINT "status_updates_incident_id_status_incidents_id_fkey" FOREIGN KEY ("incident_id") REFERENCES "status_incidents"("id") ON DELETE CASCADE;