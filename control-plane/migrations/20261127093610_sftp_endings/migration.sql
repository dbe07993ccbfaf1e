CREATE TABLE "sftp_endings" (
	"user_id" uuid PRIMARY KEY,
	"ended_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sftp_endings" ADD CONSTRAINT "sftp_endings_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;