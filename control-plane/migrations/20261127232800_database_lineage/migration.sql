CREATE TABLE "database_lineage" (
	"id" smallint PRIMARY KEY DEFAULT 1,
	"system_identifier" text,
	"timeline" integer,
	"mark" bigint DEFAULT 0 NOT NULL,
	"set_backs" integer DEFAULT 0 NOT NULL,
	"set_back_id" uuid,
	"set_back_at" timestamp with time zone,
	"set_back_why" text,
	CONSTRAINT "database_lineage_one" CHECK ("id" = 1)
);
--> statement-breakpoint
CREATE TABLE "server_findings" (
	"node_id" uuid,
	"server_id" uuid,
	"kind" text NOT NULL,
	"generation" bigint NOT NULL,
	"run" integer NOT NULL,
	"installed" integer NOT NULL,
	"state" text NOT NULL,
	"found_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "server_findings_pkey" PRIMARY KEY("node_id","server_id")
);
--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "compared_set_back" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "server_findings_server" ON "server_findings" ("server_id");--> statement-breakpoint
ALTER TABLE "server_findings" ADD CONSTRAINT "server_findings_node_id_nodes_id_fkey" FOREIGN KEY ("node_id") REFERENCES "nodes"("id") ON DELETE CASCADE;