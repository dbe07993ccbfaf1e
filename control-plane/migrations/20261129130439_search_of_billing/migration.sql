CREATE INDEX "invoices_status" ON "invoices" ("status","id");--> statement-breakpoint
CREATE INDEX "invoices_plan" ON "invoices" USING gin ("plan_name" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "invoices_currency" ON "invoices" ("currency","id");--> statement-breakpoint
CREATE INDEX "invoices_search" ON "invoices" USING gin (("number" || ' ' || coalesce("buyer" ->> 'email', '') || ' ' || coalesce("buyer" ->> 'name', '')) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "users_alike" ON "users" USING gin ("email" gin_trgm_ops,"name" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "subscriptions_status" ON "subscriptions" ("status","id");