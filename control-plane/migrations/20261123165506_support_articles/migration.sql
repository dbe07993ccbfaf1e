CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE TABLE "support_article_revisions" (
	"article_id" uuid,
	"revision" integer,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"author_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "support_article_revisions_pkey" PRIMARY KEY("article_id","revision")
);
--> statement-breakpoint
CREATE TABLE "support_article_votes" (
	"article_id" uuid,
	"user_id" uuid,
	"helpful" boolean NOT NULL,
	CONSTRAINT "support_article_votes_pkey" PRIMARY KEY("article_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "support_articles" (
	"id" uuid PRIMARY KEY,
	"slug" text NOT NULL,
	"locale" text NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"plain" text NOT NULL,
	"keywords" jsonb NOT NULL,
	"visibility" text NOT NULL,
	"status" text NOT NULL,
	"section" text,
	"position" integer NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"language" text NOT NULL,
	"words" tsvector NOT NULL
);
--> statement-breakpoint
CREATE INDEX "support_article_revisions_author" ON "support_article_revisions" ("author_id");--> statement-breakpoint
CREATE INDEX "support_article_votes_user" ON "support_article_votes" ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "support_articles_slug" ON "support_articles" ("slug","locale");--> statement-breakpoint
CREATE INDEX "support_articles_words" ON "support_articles" USING gin ("words");--> statement-breakpoint
CREATE INDEX "support_articles_title" ON "support_articles" USING gin ("title" gin_trgm_ops);--> statement-breakpoint
ALTER TABLE "support_article_revisions" ADD CONSTRAINT "support_article_revisions_article_id_support_articles_id_fkey" FOREIGN KEY ("article_id") REFERENCES "support_articles"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "support_article_revisions" ADD CONSTRAINT "support_article_revisions_author_id_users_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "support_article_votes" ADD CONSTRAINT "support_article_votes_article_id_support_articles_id_fkey" FOREIGN KEY ("article_id") REFERENCES "support_articles"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "support_article_votes" ADD CONSTRAINT "support_article_votes_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;