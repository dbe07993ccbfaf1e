ALTER TABLE "superseded_copies" ADD COLUMN "files_on" uuid;--> statement-breakpoint
ALTER TABLE "server_moves" ADD COLUMN "files_on" uuid;