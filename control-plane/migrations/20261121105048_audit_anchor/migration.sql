CREATE TABLE "audit_anchor" (
	"one" boolean PRIMARY KEY DEFAULT true,
	"number" bigint NOT NULL,
	"signature" bytea NOT NULL,
	"proof" bytea NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
