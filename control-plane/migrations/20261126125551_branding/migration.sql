CREATE TABLE "branding_images" (
	"kind" text,
	"sha" text,
	"type" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"bytes" bytea NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "branding_images_pkey" PRIMARY KEY("kind","sha"),
	CONSTRAINT "branding_images_small" CHECK (length("bytes") <= 4194304)
);
--> statement-breakpoint
CREATE TABLE "branding_versions" (
	"revision" integer PRIMARY KEY,
	"id" uuid NOT NULL UNIQUE,
	"document" jsonb NOT NULL,
	"author" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "branding_versions_counted" CHECK ("revision" > 0)
);
