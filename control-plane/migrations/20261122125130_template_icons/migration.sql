ALTER TABLE "templates" ADD COLUMN "icon" text;--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "featured" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Until now an icon was always a picture of the document's own. A host has some hundred templates at most.
UPDATE "templates" SET "icon" = '/api/templates/' || "id" || '/icon/' || substr(encode(sha256(convert_to("document"->>'icon', 'UTF8')), 'hex'), 1, 16) WHERE "document"->>'icon' LIKE 'data:%';
