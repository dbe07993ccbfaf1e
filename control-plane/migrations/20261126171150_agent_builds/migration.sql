ALTER TABLE "nodes" ADD COLUMN "agent_build" text;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "agent_outdated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "told_agent" text;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "agent_update_job_id" uuid;