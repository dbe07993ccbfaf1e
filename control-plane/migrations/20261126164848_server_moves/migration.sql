CREATE TABLE "server_moves" (
	"server_id" uuid PRIMARY KEY,
	"state" text NOT NULL,
	"other_node_id" uuid NOT NULL,
	"memory_mb" integer NOT NULL,
	"cpu_percent" integer NOT NULL,
	"disk_mb" integer NOT NULL,
	"ports" jsonb NOT NULL,
	"placement_generation" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "server_moves_node" ON "server_moves" ("other_node_id");--> statement-breakpoint
ALTER TABLE "server_moves" ADD CONSTRAINT "server_moves_other_node_id_nodes_id_fkey" FOREIGN KEY ("other_node_id") REFERENCES "nodes"("id");