CREATE TABLE "server_collaborators" (
	"server_id" uuid,
	"user_id" uuid,
	"permissions" text[] NOT NULL,
	"files" jsonb DEFAULT '[]' NOT NULL,
	"invited_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "server_collaborators_pkey" PRIMARY KEY("server_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "server_invitations" (
	"id" uuid PRIMARY KEY,
	"server_id" uuid NOT NULL,
	"email" text NOT NULL,
	"permissions" text[] NOT NULL,
	"files" jsonb DEFAULT '[]' NOT NULL,
	"new_account" boolean NOT NULL,
	"invited_by" uuid,
	"token_hash" bytea,
	"mailed_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "proved_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "factor_due_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "server_collaborators_user" ON "server_collaborators" ("user_id","server_id");--> statement-breakpoint
CREATE UNIQUE INDEX "server_invitations_email" ON "server_invitations" ("server_id","email");--> statement-breakpoint
CREATE UNIQUE INDEX "server_invitations_token" ON "server_invitations" ("token_hash");--> statement-breakpoint
ALTER TABLE "server_collaborators" ADD CONSTRAINT "server_collaborators_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "server_collaborators" ADD CONSTRAINT "server_collaborators_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "server_collaborators" ADD CONSTRAINT "server_collaborators_invited_by_users_id_fkey" FOREIGN KEY ("invited_by") REFERENCES "users"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "server_invitations" ADD CONSTRAINT "server_invitations_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "server_invitations" ADD CONSTRAINT "server_invitations_invited_by_users_id_fkey" FOREIGN KEY ("invited_by") REFERENCES "users"("id") ON DELETE SET NULL;