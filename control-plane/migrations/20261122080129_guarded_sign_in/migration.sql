ALTER TABLE "auth_challenges" ADD COLUMN "guarded" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "auth_challenges" ALTER COLUMN "user_id" DROP NOT NULL;