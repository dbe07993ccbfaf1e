CREATE TABLE "server_marks" (
	"user_id" uuid,
	"server_id" uuid,
	"folder" text,
	"favourite" boolean DEFAULT false NOT NULL,
	CONSTRAINT "server_marks_pkey" PRIMARY KEY("user_id","server_id")
);
--> statement-breakpoint
CREATE TABLE "server_notes" (
	"server_id" uuid PRIMARY KEY,
	"text" text NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_by" uuid
);
--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "icon" text;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "tags" text[] DEFAULT '{}'::text[] NOT NULL;--> statement-breakpoint
CREATE INDEX "servers_tagged" ON "servers" ("id") WHERE "tags" <> '{}';--> statement-breakpoint
CREATE INDEX "server_marks_server" ON "server_marks" ("server_id");--> statement-breakpoint
CREATE INDEX "server_notes_changed_by" ON "server_notes" ("changed_by");--> statement-breakpoint
ALTER TABLE "server_marks" ADD CONSTRAINT "server_marks_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "server_marks" ADD CONSTRAINT "server_marks_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "server_notes" ADD CONSTRAINT "server_notes_server_id_servers_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "server_notes" ADD CONSTRAINT "server_notes_changed_by_users_id_fkey" FOREIGN KEY ("changed_by") REFERENCES "users"("id") ON DELETE SET NULL;