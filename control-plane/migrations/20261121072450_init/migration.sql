CREATE TABLE "tasks" (
	"id" uuid PRIMARY KEY,
	"node_id" uuid NOT NULL,
	"server_id" uuid,
	"work" bytea NOT NULL,
	"state" text NOT NULL,
	"result" bytea,
	"deadline" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "rate_limits" (
	"key" text PRIMARY KEY,
	"full_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "job_steps" (
	"job_id" uuid,
	"step" text,
	"made" jsonb NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "job_steps_pkey" PRIMARY KEY("job_id","step")
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" uuid PRIMARY KEY,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"state" text NOT NULL,
	"server_id" uuid,
	"node_id" uuid,
	"owner_id" uuid,
	"started_by" uuid,
	"generation" bigint,
	"input" jsonb NOT NULL,
	"steps" jsonb NOT NULL,
	"percent" real,
	"bytes_done" bigint,
	"bytes_total" bigint,
	"failure" jsonb,
	"log_tail" text[] DEFAULT '{}'::text[] NOT NULL,
	"cancel_requested" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY,
	"user_id" uuid NOT NULL,
	"token_hash" bytea NOT NULL,
	"user_agent" text NOT NULL,
	"address" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY,
	"email" text NOT NULL,
	"name" text,
	"role" text NOT NULL,
	"super_admin" boolean DEFAULT false NOT NULL,
	"permissions" text[] DEFAULT '{}'::text[] NOT NULL,
	"password_hash" text,
	"preferences" jsonb NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_super_admin_is_admin" CHECK (not "super_admin" or "role" = 'admin')
);
--> statement-breakpoint
CREATE TABLE "node_enrollments" (
	"id" uuid PRIMARY KEY,
	"node_id" uuid NOT NULL,
	"token_hash" bytea NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "nodes" (
	"id" uuid PRIMARY KEY,
	"name" text NOT NULL,
	"location" text NOT NULL,
	"address" text,
	"memory_mb" integer NOT NULL,
	"cpu_percent" integer NOT NULL,
	"disk_mb" integer NOT NULL,
	"headroom_mb" integer DEFAULT 0 NOT NULL,
	"port_ranges" jsonb NOT NULL,
	"cordoned" boolean DEFAULT false NOT NULL,
	"local" boolean DEFAULT false NOT NULL,
	"allocated_memory_mb" integer DEFAULT 0 NOT NULL,
	"allocated_cpu_percent" integer DEFAULT 0 NOT NULL,
	"allocated_disk_mb" integer DEFAULT 0 NOT NULL,
	"allocated_servers" integer DEFAULT 0 NOT NULL,
	"credential_hash" bytea,
	"epoch" integer DEFAULT 1 NOT NULL,
	"session_id" uuid,
	"instance_id" uuid,
	"connected_at" timestamp with time zone,
	"last_seen_at" timestamp with time zone,
	"boot_id" text,
	"remote_address" text,
	"agent_version" text,
	"capabilities" text[] DEFAULT '{}'::text[] NOT NULL,
	"preflight" jsonb DEFAULT '[]' NOT NULL,
	"usage" jsonb,
	"report_through" bigint DEFAULT 0 NOT NULL,
	"revision" bigint DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "nodes_allocated" CHECK ("allocated_memory_mb" >= 0 and "allocated_cpu_percent" >= 0 and "allocated_disk_mb" >= 0 and "allocated_servers" >= 0)
);
--> statement-breakpoint
CREATE TABLE "console_tickets" (
	"token_hash" text PRIMARY KEY,
	"server_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"may_write" boolean NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "server_events" (
	"id" uuid PRIMARY KEY,
	"server_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"exit" jsonb,
	"reason" text NOT NULL,
	"restart" jsonb,
	"last_lines" text[] DEFAULT '{}'::text[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "server_holds" (
	"server_id" uuid,
	"kind" text,
	"cause" text,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "server_holds_pkey" PRIMARY KEY("server_id","kind","cause")
);
--> statement-breakpoint
CREATE TABLE "server_ports" (
	"server_id" uuid,
	"offset" integer,
	"node_id" uuid NOT NULL,
	"host_port" integer NOT NULL,
	"container_port" integer NOT NULL,
	"protocol" text NOT NULL,
	"label" text,
	CONSTRAINT "server_ports_pkey" PRIMARY KEY("server_id","offset"),
	CONSTRAINT "server_ports_range" CHECK ("host_port" between 1 and 65535 and "container_port" between 1 and 65535)
);
--> statement-breakpoint
CREATE TABLE "servers" (
	"id" uuid PRIMARY KEY,
	"metric_key" serial,
	"name" text NOT NULL,
	"kind" text DEFAULT 'container' NOT NULL,
	"owner_id" uuid NOT NULL,
	"template_id" uuid NOT NULL,
	"template_version" integer NOT NULL,
	"node_id" uuid NOT NULL,
	"memory_mb" integer NOT NULL,
	"cpu_percent" integer NOT NULL,
	"disk_mb" integer NOT NULL,
	"variables" jsonb NOT NULL,
	"image" text,
	"crash_policy" jsonb NOT NULL,
	"wish_power" text NOT NULL,
	"wish_run" integer DEFAULT 0 NOT NULL,
	"wish_install" integer DEFAULT 1 NOT NULL,
	"wish_ending" text DEFAULT 'graceful' NOT NULL,
	"wish_spec" jsonb NOT NULL,
	"generation" bigint DEFAULT 1 NOT NULL,
	"observed_state" text DEFAULT 'absent' NOT NULL,
	"observation" bigint DEFAULT 0 NOT NULL,
	"observed_generation" bigint DEFAULT 0 NOT NULL,
	"settled_generation" bigint DEFAULT 0 NOT NULL,
	"observed_at" timestamp with time zone,
	"since" timestamp with time zone,
	"failure" jsonb,
	"last_exit" jsonb,
	"restart_at" timestamp with time zone,
	"restart_required" boolean DEFAULT false NOT NULL,
	"install_failed" boolean DEFAULT false NOT NULL,
	"disk_limit" text,
	"usage" jsonb,
	"revision" bigint DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "servers_sizes" CHECK ("memory_mb" > 0 and "cpu_percent" > 0 and "disk_mb" > 0)
);
--> statement-breakpoint
CREATE TABLE "template_versions" (
	"template_id" uuid,
	"version" integer,
	"document" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "template_versions_pkey" PRIMARY KEY("template_id","version")
);
--> statement-breakpoint
CREATE TABLE "templates" (
	"id" uuid PRIMARY KEY,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"origin" text NOT NULL,
	"version" integer NOT NULL,
	"document" jsonb NOT NULL,
	"customer_visible" boolean DEFAULT false NOT NULL,
	"customer_description" text,
	"warnings" text[] DEFAULT '{}'::text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "tasks_queued" ON "tasks" ("created_at") WHERE state = 'queued';--> statement-breakpoint
CREATE INDEX "tasks_deadline" ON "tasks" ("deadline");--> statement-breakpoint
CREATE INDEX "jobs_open_by_server" ON "jobs" ("server_id","generation") WHERE "ended_at" is null;--> statement-breakpoint
CREATE INDEX "jobs_open_by_kind" ON "jobs" ("kind","created_at") WHERE "ended_at" is null;--> statement-breakpoint
CREATE INDEX "jobs_server" ON "jobs" ("server_id","id");--> statement-breakpoint
CREATE INDEX "jobs_owner" ON "jobs" ("owner_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_one_exclusive_per_server" ON "jobs" ("server_id") WHERE "ended_at" is null and "generation" is null and "server_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_token" ON "sessions" ("token_hash");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" ("email");--> statement-breakpoint
CREATE UNIQUE INDEX "users_one_super_admin" ON "users" ("super_admin") WHERE "super_admin";--> statement-breakpoint
CREATE INDEX "users_role_email" ON "users" ("role","email");--> statement-breakpoint
CREATE UNIQUE INDEX "node_enrollments_token" ON "node_enrollments" ("token_hash");--> statement-breakpoint
CREATE INDEX "node_enrollments_node" ON "node_enrollments" ("node_id");--> statement-breakpoint
CREATE UNIQUE INDEX "nodes_name" ON "nodes" ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "nodes_one_local" ON "nodes" ("local") WHERE "local";--> statement-breakpoint
CREATE INDEX "nodes_location" ON "nodes" ("location");--> statement-breakpoint
CREATE INDEX "server_events_server" ON "server_events" ("server_id","at","id");--> statement-breakpoint
CREATE INDEX "server_events_at" ON "server_events" ("at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "server_ports_one_per_node" ON "server_ports" ("node_id","host_port");--> statement-breakpoint
CREATE UNIQUE INDEX "servers_metric_key" ON "servers" ("metric_key");--> statement-breakpoint
CREATE INDEX "servers_owner" ON "servers" ("owner_id","id");--> statement-breakpoint
CREATE INDEX "servers_node" ON "servers" ("node_id","id");--> statement-breakpoint
CREATE INDEX "servers_template" ON "servers" ("template_id","template_version");--> statement-breakpoint
CREATE INDEX "servers_state" ON "servers" ("observed_state","id");--> statement-breakpoint
CREATE INDEX "templates_name" ON "templates" ("name","id");--> statement-breakpoint
ALTER TABLE "job_steps" ADD CONSTRAINT "job_steps_job_id_jobs_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "node_enrollments" ADD CONSTRAINT "node_enrollments_node_id_nodes_id_fkey" FOREIGN KEY ("node_id") REFERENCES "nodes"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "console_tickets" ADD CONSTRAINT "console_tickets_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "console_tickets" ADD CONSTRAINT "console_tickets_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "server_events" ADD CONSTRAINT "server_events_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "server_holds" ADD CONSTRAINT "server_holds_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "server_ports" ADD CONSTRAINT "server_ports_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "server_ports" ADD CONSTRAINT "server_ports_node_id_nodes_id_fkey" FOREIGN KEY ("node_id") REFERENCES "nodes"("id");--> statement-breakpoint
ALTER TABLE "servers" ADD CONSTRAINT "servers_owner_id_users_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "servers" ADD CONSTRAINT "servers_node_id_nodes_id_fkey" FOREIGN KEY ("node_id") REFERENCES "nodes"("id");--> statement-breakpoint
ALTER TABLE "servers" ADD CONSTRAINT "servers_7FEiwhXi2066_fkey" FOREIGN KEY ("template_id","template_version") REFERENCES "template_versions"("template_id","version");--> statement-breakpoint
ALTER TABLE "template_versions" ADD CONSTRAINT "template_versions_template_id_templates_id_fkey" FOREIGN KEY ("template_id") REFERENCES "templates"("id") ON DELETE CASCADE;