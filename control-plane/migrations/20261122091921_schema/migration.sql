CREATE TABLE "audit_anchor" (
	"one" boolean PRIMARY KEY DEFAULT true,
	"number" bigint NOT NULL,
	"signature" bytea NOT NULL,
	"proof" bytea NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"seq" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" uuid,
	"actor_email" text,
	"token_id" uuid,
	"address" text,
	"action" text NOT NULL,
	"target_id" uuid,
	"server_id" uuid,
	"request_id" text,
	"detail" text NOT NULL,
	"row_hash" bytea NOT NULL,
	"seal" bigint
);
--> statement-breakpoint
CREATE TABLE "audit_seals" (
	"number" bigint PRIMARY KEY,
	"seqs" bigint[] NOT NULL,
	"row_hashes" bytea NOT NULL,
	"count" integer NOT NULL,
	"signature" bytea NOT NULL,
	"sealed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "idempotency_keys" (
	"user_id" uuid,
	"endpoint" text,
	"key" text,
	"request_hash" text NOT NULL,
	"status" integer,
	"reply" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY("user_id","endpoint","key")
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY,
	"full_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "job_dispatch" (
	"job_id" uuid PRIMARY KEY,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"worker" uuid,
	"woken" boolean DEFAULT false NOT NULL
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
	"runs_as" text DEFAULT 'desired_state' NOT NULL,
	"title" text NOT NULL,
	"state" text NOT NULL,
	"server_id" uuid,
	"node_id" uuid,
	"owner_id" uuid,
	"started_by" uuid,
	"concurrency_group" text,
	"generation" bigint,
	"waits_for" text,
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
CREATE TABLE "recurring_jobs" (
	"id" uuid PRIMARY KEY,
	"kind" text NOT NULL,
	"cron" text NOT NULL,
	"zone" text NOT NULL,
	"input" jsonb NOT NULL,
	"about" jsonb NOT NULL,
	"authority" jsonb NOT NULL,
	"next_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sagas" (
	"job_id" uuid PRIMARY KEY,
	"authority" jsonb NOT NULL,
	"run_at" timestamp with time zone,
	"rollback" jsonb,
	"parked_node" uuid,
	"parked" jsonb
);
--> statement-breakpoint
CREATE TABLE "api_tokens" (
	"id" uuid PRIMARY KEY,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"scopes" text[] NOT NULL,
	"token_hash" bytea NOT NULL,
	"expires_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auth_challenges" (
	"id" uuid PRIMARY KEY,
	"user_id" uuid,
	"purpose" text NOT NULL,
	"token_hash" bytea NOT NULL,
	"address_key" text NOT NULL,
	"webauthn_challenge" text,
	"guarded" boolean DEFAULT false NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" uuid PRIMARY KEY,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" bytea NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] DEFAULT '{}'::text[] NOT NULL,
	"backed_up" boolean NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"user_id" uuid,
	"code_hash" bytea,
	CONSTRAINT "recovery_codes_pkey" PRIMARY KEY("user_id","code_hash")
);
--> statement-breakpoint
CREATE TABLE "second_factor_failures" (
	"id" uuid PRIMARY KEY,
	"user_id" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
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
	"proved_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "totp_factors" (
	"user_id" uuid PRIMARY KEY,
	"secret" bytea NOT NULL,
	"confirmed_at" timestamp with time zone,
	"last_step" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "former_addresses" (
	"id" uuid PRIMARY KEY,
	"user_id" uuid NOT NULL,
	"email" text NOT NULL,
	"token_hash" bytea NOT NULL,
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
	"locale" text,
	"time_zone" text,
	"quota" jsonb DEFAULT '{}' NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"factor_due_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_super_admin_is_admin" CHECK (not "super_admin" or "role" = 'admin')
);
--> statement-breakpoint
CREATE TABLE "email_messages" (
	"id" uuid PRIMARY KEY,
	"template" text NOT NULL,
	"user_id" uuid,
	"to_address" text NOT NULL,
	"subject" text NOT NULL,
	"content" bytea,
	"state" text DEFAULT 'queued' NOT NULL,
	"priority" integer NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	"lease_until" timestamp with time zone,
	"last_error" text,
	"smtp_code" integer,
	"message_id" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "email_templates" (
	"id" text PRIMARY KEY,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"html" text,
	"enabled" boolean DEFAULT true NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "limit_notices" (
	"user_id" uuid,
	"limit" text,
	"kind" text,
	"told_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "limit_notices_pkey" PRIMARY KEY("user_id","limit","kind")
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
CREATE TABLE "node_reports" (
	"node_id" uuid PRIMARY KEY,
	"through" bigint DEFAULT 0 NOT NULL
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
	"open_networks" jsonb DEFAULT '[]' NOT NULL,
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
	"inventory_taken" boolean DEFAULT true NOT NULL,
	"told_offline" boolean DEFAULT false NOT NULL,
	"boot_id" text,
	"remote_address" text,
	"agent_version" text,
	"capabilities" text[] DEFAULT '{}'::text[] NOT NULL,
	"preflight" jsonb DEFAULT '[]' NOT NULL,
	"drivers" jsonb DEFAULT '[]' NOT NULL,
	"virtualization" jsonb,
	"vm_enabled" boolean DEFAULT false NOT NULL,
	"vm_emulation" boolean DEFAULT false NOT NULL,
	"renew_seq" bigint DEFAULT 0 NOT NULL,
	"lease_ttl_ms" integer DEFAULT 60000 NOT NULL,
	"usage" jsonb,
	"revision" bigint DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "nodes_allocated" CHECK ("allocated_memory_mb" >= 0 and "allocated_cpu_percent" >= 0 and "allocated_disk_mb" >= 0 and "allocated_servers" >= 0)
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" uuid PRIMARY KEY,
	"user_id" uuid NOT NULL,
	"type" text NOT NULL,
	"severity" text NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"link" text,
	"group_key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "plans" (
	"id" uuid PRIMARY KEY,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"limits" jsonb DEFAULT '{}' NOT NULL,
	"visible" boolean DEFAULT false NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"archived_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" uuid PRIMARY KEY,
	"user_id" uuid NOT NULL,
	"plan_id" uuid NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
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
	CONSTRAINT "server_holds_pkey" PRIMARY KEY("server_id","kind","cause"),
	CONSTRAINT "server_holds_suspension_cause" CHECK ("kind" <> 'suspension' or "cause" in ('account', 'billing', 'dispute', 'token', 'administrator'))
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
CREATE TABLE "server_usage" (
	"key" integer PRIMARY KEY,
	"at" timestamp with time zone NOT NULL,
	"cpu" real NOT NULL,
	"memory" bigint NOT NULL,
	"memory_of_node" boolean DEFAULT false NOT NULL,
	"rx" real NOT NULL,
	"tx" real NOT NULL,
	"disk" bigint,
	"players" jsonb
);
--> statement-breakpoint
CREATE TABLE "servers" (
	"id" uuid PRIMARY KEY,
	"metric_key" serial,
	"name" text NOT NULL,
	"kind" text DEFAULT 'container' NOT NULL,
	"owner_id" uuid NOT NULL,
	"template_id" uuid,
	"template_version" integer,
	"subscription_id" uuid,
	"node_id" uuid NOT NULL,
	"memory_mb" integer NOT NULL,
	"cpu_percent" integer NOT NULL,
	"disk_mb" integer NOT NULL,
	"copies_disk_mb" integer DEFAULT 0 NOT NULL,
	"variables" jsonb NOT NULL,
	"image" text,
	"crash_policy" jsonb NOT NULL,
	"desired_power" text NOT NULL,
	"desired_run" integer DEFAULT 0 NOT NULL,
	"desired_install" integer DEFAULT 1 NOT NULL,
	"desired_ending" text DEFAULT 'graceful' NOT NULL,
	"desired_spec" jsonb NOT NULL,
	"sealed" bytea,
	"generation" bigint DEFAULT 1 NOT NULL,
	"placement_generation" bigint DEFAULT 1 NOT NULL,
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
	"boot_waits_for" text,
	"disk_limit" text,
	"delete_at" timestamp with time zone,
	"revision" bigint DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "servers_template" CHECK (("kind" = 'vm') = ("template_id" is null) and ("template_id" is null) = ("template_version" is null)),
	CONSTRAINT "servers_sizes" CHECK ("memory_mb" > 0 and "cpu_percent" > 0 and "disk_mb" > 0)
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"area" text PRIMARY KEY,
	"value" jsonb NOT NULL,
	"revision" bigint DEFAULT 1 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signup_invites" (
	"id" uuid PRIMARY KEY,
	"code_hash" bytea NOT NULL,
	"prefix" text NOT NULL,
	"email" text,
	"note" text,
	"max_uses" integer DEFAULT 1 NOT NULL,
	"uses" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp with time zone,
	"plan_id" uuid,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signup_requests" (
	"id" uuid PRIMARY KEY,
	"kind" text NOT NULL,
	"email" text NOT NULL,
	"password_hash" text,
	"invite_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signups" (
	"user_id" uuid PRIMARY KEY,
	"invite_id" uuid,
	"plan_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"approved_at" timestamp with time zone
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
CREATE TABLE "vm_media" (
	"id" uuid PRIMARY KEY,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"url" text,
	"checksum_url" text,
	"sha256" text,
	"kept" boolean DEFAULT false NOT NULL,
	"size_bytes" bigint,
	"virtual_size_mb" integer,
	"state" text NOT NULL,
	"failure" text,
	"job_id" uuid,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "vm_media_ready" CHECK ("state" <> 'ready' or ("size_bytes" is not null and "sha256" is not null))
);
--> statement-breakpoint
CREATE TABLE "vm_networks" (
	"id" uuid PRIMARY KEY,
	"name" text NOT NULL,
	"mode" text NOT NULL,
	"libvirt_name" text NOT NULL,
	"bridge" text,
	"subnet" bigint NOT NULL,
	"prefix_length" integer NOT NULL,
	"gateway" bigint NOT NULL,
	"dns" text[] DEFAULT '{}'::text[] NOT NULL,
	"pool_from" bigint NOT NULL,
	"pool_to" bigint NOT NULL,
	"node_ids" uuid[] DEFAULT '{}'::uuid[] NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"customer_visible" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "vm_networks_pool" CHECK ("pool_from" <= "pool_to")
);
--> statement-breakpoint
CREATE TABLE "vm_profiles" (
	"id" uuid PRIMARY KEY,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"hardware" jsonb NOT NULL,
	"built_in" boolean DEFAULT false NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"customer_visible" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vm_boot_grants" (
	"attempt" uuid PRIMARY KEY,
	"server_id" uuid NOT NULL,
	"node_id" uuid NOT NULL,
	"placement_generation" bigint NOT NULL,
	"node_epoch" integer NOT NULL,
	"allowed" boolean NOT NULL,
	"reasons" jsonb NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vm_moves" (
	"server_id" uuid PRIMARY KEY,
	"state" text NOT NULL,
	"other_node_id" uuid NOT NULL,
	"memory_mb" integer NOT NULL,
	"cpu_percent" integer NOT NULL,
	"disk_mb" integer NOT NULL,
	"place" jsonb NOT NULL,
	"since_generation" bigint DEFAULT 0 NOT NULL,
	"placement_generation" bigint NOT NULL,
	"proven_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vm_snapshots" (
	"id" uuid PRIMARY KEY,
	"server_id" uuid NOT NULL,
	"name" text NOT NULL,
	"state" text NOT NULL,
	"reserved_mb" integer DEFAULT 0 NOT NULL,
	"size_bytes" bigint,
	"disk_mb" integer NOT NULL,
	"has_firmware" boolean NOT NULL,
	"has_tpm" boolean NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account_tokens" (
	"id" uuid PRIMARY KEY,
	"user_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"token_hash" bytea NOT NULL,
	"data" jsonb DEFAULT '{}' NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "known_devices" (
	"user_id" uuid,
	"device_hash" bytea,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "known_devices_pkey" PRIMARY KEY("user_id","device_hash")
);
--> statement-breakpoint
CREATE TABLE "reset_requests" (
	"id" uuid PRIMARY KEY,
	"email" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "machines" (
	"server_id" uuid PRIMARY KEY,
	"uuid" uuid NOT NULL,
	"hostname" text NOT NULL,
	"profile_id" uuid NOT NULL,
	"network_id" uuid NOT NULL,
	"address" bigint NOT NULL,
	"mac" text NOT NULL,
	"vcpus" integer NOT NULL,
	"disks" jsonb NOT NULL,
	"medium_id" uuid,
	"image_id" uuid,
	"seed" jsonb,
	"boot_order" jsonb NOT NULL,
	"nat_rules" jsonb NOT NULL,
	"stop" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vm_addresses" (
	"network_id" uuid,
	"address" bigint,
	"server_id" uuid NOT NULL,
	CONSTRAINT "vm_addresses_pkey" PRIMARY KEY("network_id","address")
);
--> statement-breakpoint
CREATE TABLE "server_collaborators" (
	"server_id" uuid,
	"user_id" uuid,
	"permissions" text[] NOT NULL,
	"files" jsonb DEFAULT '[]' NOT NULL,
	"invited_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "server_collaborators_pkey" PRIMARY KEY("server_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "server_invitations" (
	"id" uuid PRIMARY KEY,
	"server_id" uuid NOT NULL,
	"email" text NOT NULL,
	"permissions" text[] NOT NULL,
	"files" jsonb DEFAULT '[]' NOT NULL,
	"new_account" boolean NOT NULL,
	"invited_by" uuid,
	"token_hash" bytea,
	"mailed_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "audit_log_id" ON "audit_log" ("id");--> statement-breakpoint
CREATE INDEX "audit_log_unsealed" ON "audit_log" ("seq") WHERE "seal" is null;--> statement-breakpoint
CREATE INDEX "audit_log_seal" ON "audit_log" ("seal");--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" ("actor_id","seq");--> statement-breakpoint
CREATE INDEX "audit_log_target" ON "audit_log" ("target_id","seq");--> statement-breakpoint
CREATE INDEX "audit_log_server" ON "audit_log" ("server_id","seq");--> statement-breakpoint
CREATE INDEX "tasks_queued" ON "tasks" ("created_at") WHERE state = 'queued';--> statement-breakpoint
CREATE INDEX "tasks_deadline" ON "tasks" ("deadline");--> statement-breakpoint
CREATE INDEX "job_dispatch_due" ON "job_dispatch" ("due_at");--> statement-breakpoint
CREATE INDEX "jobs_open_by_server" ON "jobs" ("server_id","generation") WHERE "ended_at" is null;--> statement-breakpoint
CREATE INDEX "jobs_open_by_kind" ON "jobs" ("kind","created_at") WHERE "ended_at" is null;--> statement-breakpoint
CREATE INDEX "jobs_server" ON "jobs" ("server_id","id");--> statement-breakpoint
CREATE INDEX "jobs_owner" ON "jobs" ("owner_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_one_per_group" ON "jobs" ("server_id","concurrency_group") WHERE "ended_at" is null and "concurrency_group" is not null;--> statement-breakpoint
CREATE INDEX "recurring_jobs_next" ON "recurring_jobs" ("next_at");--> statement-breakpoint
CREATE INDEX "sagas_parked_node" ON "sagas" ("parked_node") WHERE "parked_node" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "api_tokens_token" ON "api_tokens" ("token_hash");--> statement-breakpoint
CREATE INDEX "api_tokens_user" ON "api_tokens" ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "auth_challenges_token" ON "auth_challenges" ("token_hash");--> statement-breakpoint
CREATE INDEX "auth_challenges_user" ON "auth_challenges" ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "passkeys_credential" ON "passkeys" ("credential_id");--> statement-breakpoint
CREATE INDEX "passkeys_user" ON "passkeys" ("user_id");--> statement-breakpoint
CREATE INDEX "second_factor_failures_user" ON "second_factor_failures" ("user_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_token" ON "sessions" ("token_hash");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "former_addresses_token" ON "former_addresses" ("token_hash");--> statement-breakpoint
CREATE INDEX "former_addresses_email" ON "former_addresses" ("email");--> statement-breakpoint
CREATE INDEX "former_addresses_user" ON "former_addresses" ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" ("email");--> statement-breakpoint
CREATE UNIQUE INDEX "users_one_super_admin" ON "users" ("super_admin") WHERE "super_admin";--> statement-breakpoint
CREATE INDEX "users_role_email" ON "users" ("role","email");--> statement-breakpoint
CREATE INDEX "email_messages_queue" ON "email_messages" ("state","next_attempt_at");--> statement-breakpoint
CREATE INDEX "email_messages_created" ON "email_messages" ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "node_enrollments_token" ON "node_enrollments" ("token_hash");--> statement-breakpoint
CREATE INDEX "node_enrollments_node" ON "node_enrollments" ("node_id");--> statement-breakpoint
CREATE UNIQUE INDEX "nodes_name" ON "nodes" ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "nodes_one_local" ON "nodes" ("local") WHERE "local";--> statement-breakpoint
CREATE INDEX "nodes_location" ON "nodes" ("location");--> statement-breakpoint
CREATE INDEX "nodes_most_free" ON "nodes" ((memory_mb - headroom_mb - allocated_memory_mb) desc,"id") WHERE not "cordoned" and "credential_hash" is not null;--> statement-breakpoint
CREATE INDEX "notifications_user" ON "notifications" ("user_id","id");--> statement-breakpoint
CREATE INDEX "notifications_unread" ON "notifications" ("user_id") WHERE "read_at" is null;--> statement-breakpoint
CREATE INDEX "notifications_created" ON "notifications" ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "plans_name" ON "plans" ("name");--> statement-breakpoint
CREATE INDEX "subscriptions_user" ON "subscriptions" ("user_id","status");--> statement-breakpoint
CREATE INDEX "subscriptions_plan" ON "subscriptions" ("plan_id");--> statement-breakpoint
CREATE INDEX "server_events_server" ON "server_events" ("server_id","at","id");--> statement-breakpoint
CREATE INDEX "server_events_at" ON "server_events" ("at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "server_ports_one_per_node" ON "server_ports" ("node_id","host_port");--> statement-breakpoint
CREATE UNIQUE INDEX "servers_metric_key" ON "servers" ("metric_key");--> statement-breakpoint
CREATE INDEX "servers_owner" ON "servers" ("owner_id","id");--> statement-breakpoint
CREATE INDEX "servers_node" ON "servers" ("node_id","id");--> statement-breakpoint
CREATE INDEX "servers_template" ON "servers" ("template_id","template_version");--> statement-breakpoint
CREATE INDEX "servers_state" ON "servers" ("observed_state","id");--> statement-breakpoint
CREATE UNIQUE INDEX "signup_invites_code" ON "signup_invites" ("code_hash");--> statement-breakpoint
CREATE INDEX "signups_invite" ON "signups" ("invite_id");--> statement-breakpoint
CREATE INDEX "templates_name" ON "templates" ("name","id");--> statement-breakpoint
CREATE UNIQUE INDEX "vm_media_name" ON "vm_media" ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "vm_media_sha256" ON "vm_media" ("sha256") WHERE "state" <> 'failed';--> statement-breakpoint
CREATE UNIQUE INDEX "vm_networks_name" ON "vm_networks" ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "vm_profiles_name" ON "vm_profiles" ("name");--> statement-breakpoint
CREATE INDEX "vm_boot_grants_server" ON "vm_boot_grants" ("server_id","at");--> statement-breakpoint
CREATE INDEX "vm_snapshots_server" ON "vm_snapshots" ("server_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "vm_snapshots_name" ON "vm_snapshots" ("server_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "account_tokens_token" ON "account_tokens" ("token_hash");--> statement-breakpoint
CREATE INDEX "account_tokens_user" ON "account_tokens" ("user_id","purpose");--> statement-breakpoint
CREATE UNIQUE INDEX "machines_uuid" ON "machines" ("uuid");--> statement-breakpoint
CREATE UNIQUE INDEX "machines_mac" ON "machines" ("mac");--> statement-breakpoint
CREATE INDEX "machines_network" ON "machines" ("network_id");--> statement-breakpoint
CREATE INDEX "machines_media" ON "machines" ("medium_id","image_id");--> statement-breakpoint
CREATE UNIQUE INDEX "vm_addresses_one_each" ON "vm_addresses" ("server_id","network_id");--> statement-breakpoint
CREATE INDEX "server_collaborators_user" ON "server_collaborators" ("user_id","server_id");--> statement-breakpoint
CREATE UNIQUE INDEX "server_invitations_email" ON "server_invitations" ("server_id","email");--> statement-breakpoint
CREATE UNIQUE INDEX "server_invitations_token" ON "server_invitations" ("token_hash");--> statement-breakpoint
ALTER TABLE "job_steps" ADD CONSTRAINT "job_steps_job_id_jobs_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "sagas" ADD CONSTRAINT "sagas_job_id_jobs_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "auth_challenges" ADD CONSTRAINT "auth_challenges_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "second_factor_failures" ADD CONSTRAINT "second_factor_failures_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "totp_factors" ADD CONSTRAINT "totp_factors_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "former_addresses" ADD CONSTRAINT "former_addresses_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "email_messages" ADD CONSTRAINT "email_messages_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "limit_notices" ADD CONSTRAINT "limit_notices_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "node_enrollments" ADD CONSTRAINT "node_enrollments_node_id_nodes_id_fkey" FOREIGN KEY ("node_id") REFERENCES "nodes"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "node_reports" ADD CONSTRAINT "node_reports_node_id_nodes_id_fkey" FOREIGN KEY ("node_id") REFERENCES "nodes"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_plan_id_plans_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id");--> statement-breakpoint
ALTER TABLE "console_tickets" ADD CONSTRAINT "console_tickets_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "console_tickets" ADD CONSTRAINT "console_tickets_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "server_events" ADD CONSTRAINT "server_events_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "server_holds" ADD CONSTRAINT "server_holds_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "server_ports" ADD CONSTRAINT "server_ports_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "server_ports" ADD CONSTRAINT "server_ports_node_id_nodes_id_fkey" FOREIGN KEY ("node_id") REFERENCES "nodes"("id");--> statement-breakpoint
ALTER TABLE "servers" ADD CONSTRAINT "servers_owner_id_users_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "servers" ADD CONSTRAINT "servers_subscription_id_subscriptions_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id");--> statement-breakpoint
ALTER TABLE "servers" ADD CONSTRAINT "servers_node_id_nodes_id_fkey" FOREIGN KEY ("node_id") REFERENCES "nodes"("id");--> statement-breakpoint
ALTER TABLE "servers" ADD CONSTRAINT "servers_7FEiwhXi2066_fkey" FOREIGN KEY ("template_id","template_version") REFERENCES "template_versions"("template_id","version");--> statement-breakpoint
ALTER TABLE "signup_invites" ADD CONSTRAINT "signup_invites_plan_id_plans_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id");--> statement-breakpoint
ALTER TABLE "signup_invites" ADD CONSTRAINT "signup_invites_created_by_users_id_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "signups" ADD CONSTRAINT "signups_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "signups" ADD CONSTRAINT "signups_invite_id_signup_invites_id_fkey" FOREIGN KEY ("invite_id") REFERENCES "signup_invites"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "signups" ADD CONSTRAINT "signups_plan_id_plans_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id");--> statement-breakpoint
ALTER TABLE "template_versions" ADD CONSTRAINT "template_versions_template_id_templates_id_fkey" FOREIGN KEY ("template_id") REFERENCES "templates"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "vm_boot_grants" ADD CONSTRAINT "vm_boot_grants_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "vm_boot_grants" ADD CONSTRAINT "vm_boot_grants_node_id_nodes_id_fkey" FOREIGN KEY ("node_id") REFERENCES "nodes"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "vm_moves" ADD CONSTRAINT "vm_moves_other_node_id_nodes_id_fkey" FOREIGN KEY ("other_node_id") REFERENCES "nodes"("id");--> statement-breakpoint
ALTER TABLE "vm_snapshots" ADD CONSTRAINT "vm_snapshots_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "account_tokens" ADD CONSTRAINT "account_tokens_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "known_devices" ADD CONSTRAINT "known_devices_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "machines" ADD CONSTRAINT "machines_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "machines" ADD CONSTRAINT "machines_profile_id_vm_profiles_id_fkey" FOREIGN KEY ("profile_id") REFERENCES "vm_profiles"("id");--> statement-breakpoint
ALTER TABLE "machines" ADD CONSTRAINT "machines_network_id_vm_networks_id_fkey" FOREIGN KEY ("network_id") REFERENCES "vm_networks"("id");--> statement-breakpoint
ALTER TABLE "machines" ADD CONSTRAINT "machines_medium_id_vm_media_id_fkey" FOREIGN KEY ("medium_id") REFERENCES "vm_media"("id");--> statement-breakpoint
ALTER TABLE "machines" ADD CONSTRAINT "machines_image_id_vm_media_id_fkey" FOREIGN KEY ("image_id") REFERENCES "vm_media"("id");--> statement-breakpoint
ALTER TABLE "vm_addresses" ADD CONSTRAINT "vm_addresses_network_id_vm_networks_id_fkey" FOREIGN KEY ("network_id") REFERENCES "vm_networks"("id");--> statement-breakpoint
ALTER TABLE "vm_addresses" ADD CONSTRAINT "vm_addresses_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "server_collaborators" ADD CONSTRAINT "server_collaborators_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "server_collaborators" ADD CONSTRAINT "server_collaborators_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "server_collaborators" ADD CONSTRAINT "server_collaborators_invited_by_users_id_fkey" FOREIGN KEY ("invited_by") REFERENCES "users"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "server_invitations" ADD CONSTRAINT "server_invitations_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "server_invitations" ADD CONSTRAINT "server_invitations_invited_by_users_id_fkey" FOREIGN KEY ("invited_by") REFERENCES "users"("id") ON DELETE SET NULL;