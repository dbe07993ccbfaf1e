CREATE TABLE "vm_media" (
	"id" uuid PRIMARY KEY,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"url" text NOT NULL,
	"sha256" text NOT NULL,
	"size_bytes" bigint,
	"virtual_size_mb" integer,
	"state" text NOT NULL,
	"failure" text,
	"job_id" uuid,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "vm_media_ready" CHECK ("state" <> 'ready' or "size_bytes" is not null)
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
ALTER TABLE "nodes" ADD COLUMN "virtualization" jsonb;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "vm_enabled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "vm_emulation" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "renew_seq" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "lease_ttl_ms" integer DEFAULT 60000 NOT NULL;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "copies_disk_mb" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "placement_generation" bigint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "boot_waits_for" text;--> statement-breakpoint
ALTER TABLE "servers" ALTER COLUMN "template_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "servers" ALTER COLUMN "template_version" DROP NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "vm_media_name" ON "vm_media" ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "vm_media_sha256" ON "vm_media" ("sha256") WHERE "state" <> 'failed';--> statement-breakpoint
CREATE UNIQUE INDEX "vm_networks_name" ON "vm_networks" ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "vm_profiles_name" ON "vm_profiles" ("name");--> statement-breakpoint
CREATE INDEX "vm_boot_grants_server" ON "vm_boot_grants" ("server_id","at");--> statement-breakpoint
CREATE INDEX "vm_snapshots_server" ON "vm_snapshots" ("server_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "machines_uuid" ON "machines" ("uuid");--> statement-breakpoint
CREATE UNIQUE INDEX "machines_mac" ON "machines" ("mac");--> statement-breakpoint
CREATE INDEX "machines_network" ON "machines" ("network_id");--> statement-breakpoint
CREATE INDEX "machines_media" ON "machines" ("medium_id","image_id");--> statement-breakpoint
CREATE UNIQUE INDEX "vm_addresses_one_each" ON "vm_addresses" ("server_id","network_id");--> statement-breakpoint
ALTER TABLE "vm_boot_grants" ADD CONSTRAINT "vm_boot_grants_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "vm_boot_grants" ADD CONSTRAINT "vm_boot_grants_node_id_nodes_id_fkey" FOREIGN KEY ("node_id") REFERENCES "nodes"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "vm_moves" ADD CONSTRAINT "vm_moves_other_node_id_nodes_id_fkey" FOREIGN KEY ("other_node_id") REFERENCES "nodes"("id");--> statement-breakpoint
ALTER TABLE "vm_snapshots" ADD CONSTRAINT "vm_snapshots_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "machines" ADD CONSTRAINT "machines_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "machines" ADD CONSTRAINT "machines_profile_id_vm_profiles_id_fkey" FOREIGN KEY ("profile_id") REFERENCES "vm_profiles"("id");--> statement-breakpoint
ALTER TABLE "machines" ADD CONSTRAINT "machines_network_id_vm_networks_id_fkey" FOREIGN KEY ("network_id") REFERENCES "vm_networks"("id");--> statement-breakpoint
ALTER TABLE "machines" ADD CONSTRAINT "machines_medium_id_vm_media_id_fkey" FOREIGN KEY ("medium_id") REFERENCES "vm_media"("id");--> statement-breakpoint
ALTER TABLE "machines" ADD CONSTRAINT "machines_image_id_vm_media_id_fkey" FOREIGN KEY ("image_id") REFERENCES "vm_media"("id");--> statement-breakpoint
ALTER TABLE "vm_addresses" ADD CONSTRAINT "vm_addresses_network_id_vm_networks_id_fkey" FOREIGN KEY ("network_id") REFERENCES "vm_networks"("id");--> statement-breakpoint
ALTER TABLE "vm_addresses" ADD CONSTRAINT "vm_addresses_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "servers" ADD CONSTRAINT "servers_template" CHECK (("kind" = 'vm') = ("template_id" is null) and ("template_id" is null) = ("template_version" is null));