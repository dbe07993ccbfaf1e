CREATE TABLE "plugin_deliveries" (
	"id" uuid PRIMARY KEY,
	"plugin_id" text NOT NULL,
	"type" text NOT NULL,
	"data" jsonb NOT NULL,
	"happened_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "plugin_logs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "plugin_logs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"plugin_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"level" text NOT NULL,
	"text" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "plugin_storage" (
	"plugin_id" text,
	"key" text,
	"value" text NOT NULL,
	CONSTRAINT "plugin_storage_pkey" PRIMARY KEY("plugin_id","key")
);
--> statement-breakpoint
CREATE TABLE "plugin_versions" (
	"plugin_id" text,
	"version" text,
	"manifest" jsonb NOT NULL,
	"files" bytea NOT NULL,
	"sha256" text NOT NULL,
	"signature" text NOT NULL,
	"signed_by" text,
	"settings" bytea,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "plugin_versions_pkey" PRIMARY KEY("plugin_id","version")
);
--> statement-breakpoint
CREATE TABLE "plugins" (
	"id" text PRIMARY KEY,
	"source" text NOT NULL,
	"enabled" boolean NOT NULL,
	"version" text NOT NULL,
	"previous_version" text,
	"held_version" text,
	"settings" bytea NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"failure" text,
	"installed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "plugin_deliveries_due" ON "plugin_deliveries" ("due_at");--> statement-breakpoint
CREATE INDEX "plugin_deliveries_plugin" ON "plugin_deliveries" ("plugin_id");--> statement-breakpoint
CREATE INDEX "plugin_logs_plugin" ON "plugin_logs" ("plugin_id","id");--> statement-breakpoint
ALTER TABLE "plugin_deliveries" ADD CONSTRAINT "plugin_deliveries_plugin_id_plugins_id_fkey" FOREIGN KEY ("plugin_id") REFERENCES "plugins"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "plugin_logs" ADD CONSTRAINT "plugin_logs_plugin_id_plugins_id_fkey" FOREIGN KEY ("plugin_id") REFERENCES "plugins"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "plugin_storage" ADD CONSTRAINT "plugin_storage_plugin_id_plugins_id_fkey" FOREIGN KEY ("plugin_id") REFERENCES "plugins"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "plugin_versions" ADD CONSTRAINT "plugin_versions_plugin_id_plugins_id_fkey" FOREIGN KEY ("plugin_id") REFERENCES "plugins"("id") ON DELETE CASCADE;