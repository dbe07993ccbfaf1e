CREATE TABLE "audit_log" (
	"seq" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" uuid,
	"actor_email" text,
	"token_id" uuid,
	"address" text,
	"action" text NOT NULL,
	"target_id" uuid,
	"server_id" uuid,
	"request_id" text,
	"detail" text NOT NULL,
	"row_hash" bytea NOT NULL,
	"seal" bigint
);
--> statement-breakpoint
CREATE TABLE "audit_seals" (
	"number" bigint PRIMARY KEY,
	"seqs" bigint[] NOT NULL,
	"row_hashes" bytea NOT NULL,
	"count" integer NOT NULL,
	"signature" bytea NOT NULL,
	"sealed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "audit_log_id" ON "audit_log" ("id");--> statement-breakpoint
CREATE INDEX "audit_log_unsealed" ON "audit_log" ("seq") WHERE "seal" is null;--> statement-breakpoint
CREATE INDEX "audit_log_seal" ON "audit_log" ("seal");--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" ("actor_id","seq");--> statement-breakpoint
CREATE INDEX "audit_log_target" ON "audit_log" ("target_id","seq");--> statement-breakpoint
CREATE INDEX "audit_log_server" ON "audit_log" ("server_id","seq");