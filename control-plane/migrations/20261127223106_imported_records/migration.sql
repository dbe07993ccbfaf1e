CREATE TABLE "imported_records" (
	"origin" text,
	"kind" text,
	"source_id" text,
	"target_id" uuid NOT NULL,
	"imported_at" timestamp with time zone NOT NULL,
	CONSTRAINT "imported_records_pkey" PRIMARY KEY("origin","kind","source_id")
);
