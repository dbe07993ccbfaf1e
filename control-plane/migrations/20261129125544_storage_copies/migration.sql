CREATE TABLE "storage_copies" (
	"server_id" uuid,
	"node_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"storage_id" uuid,
	"placement_generation" bigint NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"try_at" timestamp with time zone DEFAULT now() NOT NULL,
	"failure" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "storage_copies_pkey" PRIMARY KEY("server_id","node_id")
);
--> statement-breakpoint
CREATE INDEX "storage_copies_node" ON "storage_copies" ("node_id");--> statement-breakpoint
ALTER TABLE "storage_copies" ADD CONSTRAINT "storage_copies_node_id_nodes_id_fkey" FOREIGN KEY ("node_id") REFERENCES "nodes"("id") ON DELETE CASCADE;