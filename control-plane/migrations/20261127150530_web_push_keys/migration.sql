CREATE TABLE "web_push_keys" (
	"id" text PRIMARY KEY,
	"private_key" bytea NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
