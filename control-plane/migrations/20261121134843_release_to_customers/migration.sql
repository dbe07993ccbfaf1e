ALTER TABLE "vm_networks" ADD COLUMN "customer_visible" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "vm_profiles" ADD COLUMN "customer_visible" boolean DEFAULT false NOT NULL;