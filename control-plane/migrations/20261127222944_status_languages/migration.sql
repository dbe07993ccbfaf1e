ALTER TABLE "status_requests" ADD COLUMN "language" text;--> statement-breakpoint
ALTER TABLE "status_subscribers" ADD COLUMN "language" text;