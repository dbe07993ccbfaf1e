CREATE TABLE "blob_references" (
	"sha256" text,
	"owner_kind" text,
	"owner_id" text,
	CONSTRAINT "blob_references_pkey" PRIMARY KEY("sha256","owner_kind","owner_id")
);
--> statement-breakpoint
CREATE TABLE "blobs" (
	"sha256" text PRIMARY KEY,
	"size_bytes" bigint NOT NULL,
	"kept_at" timestamp with time zone,
	"touched_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "blob_references_owner" ON "blob_references" ("owner_kind","owner_id");--> statement-breakpoint
CREATE INDEX "blobs_touched" ON "blobs" ("touched_at");--> statement-breakpoint
CREATE INDEX "blobs_passing" ON "blobs" ("touched_at") WHERE "kept_at" is null;--> statement-breakpoint
ALTER TABLE "blob_references" ADD CONSTRAINT "blob_references_sha256_blobs_sha256_fkey" FOREIGN KEY ("sha256") REFERENCES "blobs"("sha256") ON DELETE RESTRICT;