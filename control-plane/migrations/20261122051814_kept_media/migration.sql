ALTER TABLE "vm_media" ADD COLUMN "checksum_url" text;--> statement-breakpoint
ALTER TABLE "vm_media" ADD COLUMN "kept" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "vm_media" ALTER COLUMN "url" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "vm_media" ALTER COLUMN "sha256" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "vm_media" DROP CONSTRAINT "vm_media_ready", ADD CONSTRAINT "vm_media_ready" CHECK ("state" <> 'ready' or ("size_bytes" is not null and "sha256" is not null));