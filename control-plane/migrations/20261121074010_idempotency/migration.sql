CREATE TABLE "idempotency_keys" (
	"user_id" uuid,
	"endpoint" text,
	"key" text,
	"request_hash" text NOT NULL,
	"status" integer,
	"reply" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY("user_id","endpoint","key")
);
