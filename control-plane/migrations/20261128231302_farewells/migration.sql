CREATE TABLE "provider_farewells" (
	"provider" text,
	"ref" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "provider_farewells_pkey" PRIMARY KEY("provider","ref")
);
--> statement-breakpoint
CREATE INDEX "provider_farewells_due" ON "provider_farewells" ("due_at");