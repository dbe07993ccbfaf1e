CREATE TABLE "failover_blocked" (
	"node_id" uuid PRIMARY KEY,
	"epoch" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "failover_blocked" ADD CONSTRAINT "failover_blocked_node_id_nodes_id_fkey" FOREIGN KEY ("node_id") REFERENCES "nodes"("id") ON DELETE CASCADE;