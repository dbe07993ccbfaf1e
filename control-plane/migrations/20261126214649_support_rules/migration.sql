CREATE TABLE "support_rule_idles" (
	"rule_id" uuid,
	"ticket_id" uuid,
	"since" timestamp with time zone NOT NULL,
	CONSTRAINT "support_rule_idles_pkey" PRIMARY KEY("rule_id","ticket_id")
);
--> statement-breakpoint
CREATE TABLE "support_rule_runs" (
	"id" uuid PRIMARY KEY,
	"rule_id" uuid NOT NULL,
	"ticket_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"does" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "support_rules" (
	"id" uuid PRIMARY KEY,
	"name" text NOT NULL,
	"enabled" boolean NOT NULL,
	"position" integer NOT NULL,
	"on_event" text NOT NULL,
	"idle_minutes" integer,
	"conditions" jsonb NOT NULL,
	"actions" jsonb NOT NULL,
	"stop" boolean NOT NULL,
	"disabled_reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "support_rules_idle" CHECK (("on_event" = 'idle') = ("idle_minutes" is not null))
);
--> statement-breakpoint
CREATE INDEX "support_rule_idles_ticket" ON "support_rule_idles" ("ticket_id");--> statement-breakpoint
CREATE INDEX "support_rule_runs_rule" ON "support_rule_runs" ("rule_id","at");--> statement-breakpoint
CREATE INDEX "support_rule_runs_ticket" ON "support_rule_runs" ("ticket_id");--> statement-breakpoint
CREATE INDEX "support_rule_runs_at" ON "support_rule_runs" ("at");--> statement-breakpoint
CREATE INDEX "support_rules_event" ON "support_rules" ("on_event","position") WHERE "enabled";--> statement-breakpoint
ALTER TABLE "support_rule_idles" ADD CONSTRAINT "support_rule_idles_rule_id_support_rules_id_fkey" FOREIGN KEY ("rule_id") REFERENCES "support_rules"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "support_rule_idles" ADD CONSTRAINT "support_rule_idles_ticket_id_support_tickets_id_fkey" FOREIGN KEY ("ticket_id") REFERENCES "support_tickets"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "support_rule_runs" ADD CONSTRAINT "support_rule_runs_rule_id_support_rules_id_fkey" FOREIGN KEY ("rule_id") REFERENCES "support_rules"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "support_rule_runs" ADD CONSTRAINT "support_rule_runs_ticket_id_support_tickets_id_fkey" FOREIGN KEY ("ticket_id") REFERENCES "support_tickets"("id") ON DELETE CASCADE;