ALTER TABLE "nodes" ADD COLUMN "sftp_port" integer;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "sftp" jsonb;