CREATE TABLE "evacuation_servers" (
	"node_id" uuid,
	"server_id" uuid,
	"server_name" text NOT NULL,
	"position" integer NOT NULL,
	"state" text NOT NULL,
	"target_name" text,
	"job_id" uuid,
	"detail" text,
	CONSTRAINT "evacuation_servers_pkey" PRIMARY KEY("node_id","server_id")
);
--> statement-breakpoint
CREATE TABLE "evacuations" (
	"node_id" uuid PRIMARY KEY,
	"job_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "evacuation_servers_order" ON "evacuation_servers" ("node_id","position");--> statement-breakpoint
ALTER TABLE "evacuation_servers" ADD CONSTRAINT "evacuation_servers_node_id_evacuations_node_id_fkey" FOREIGN KEY ("node_id") REFERENCES "evacuations"("node_id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "evacuations" ADD CONSTRAINT "evacuations_node_id_nodes_id_fkey" FOREIGN KEY ("node_id") REFERENCES "nodes"("id") ON DELETE CASCADE;