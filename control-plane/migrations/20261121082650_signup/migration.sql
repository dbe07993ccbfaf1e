CREATE TABLE "signup_invites" (
	"id" uuid PRIMARY KEY,
	"code_hash" bytea NOT NULL,
	"prefix" text NOT NULL,
	"email" text,
	"note" text,
	"max_uses" integer DEFAULT 1 NOT NULL,
	"uses" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp with time zone,
	"plan_id" uuid,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signup_requests" (
	"id" uuid PRIMARY KEY,
	"kind" text NOT NULL,
	"email" text NOT NULL,
	"password_hash" text,
	"invite_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signups" (
	"user_id" uuid PRIMARY KEY,
	"invite_id" uuid,
	"plan_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"approved_at" timestamp with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "signup_invites_code" ON "signup_invites" ("code_hash");--> statement-breakpoint
CREATE INDEX "signups_invite" ON "signups" ("invite_id");--> statement-breakpoint
ALTER TABLE "signup_invites" ADD CONSTRAINT "signup_invites_plan_id_plans_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id");--> statement-breakpoint
ALTER TABLE "signup_invites" ADD CONSTRAINT "signup_invites_created_by_users_id_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "signups" ADD CONSTRAINT "signups_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "signups" ADD CONSTRAINT "signups_invite_id_signup_invites_id_fkey" FOREIGN KEY ("invite_id") REFERENCES "signup_invites"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "signups" ADD CONSTRAINT "signups_plan_id_plans_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id");