CREATE TABLE "support_article_reads" (
	"day" date,
	"article_id" uuid,
	"reads" integer NOT NULL,
	CONSTRAINT "support_article_reads_pkey" PRIMARY KEY("day","article_id")
);
--> statement-breakpoint
CREATE TABLE "support_missed_searches" (
	"day" date,
	"words" text,
	"searches" integer NOT NULL,
	CONSTRAINT "support_missed_searches_pkey" PRIMARY KEY("day","words")
);
--> statement-breakpoint
CREATE INDEX "support_article_reads_article" ON "support_article_reads" ("article_id");--> statement-breakpoint
ALTER TABLE "support_article_reads" ADD CONSTRAINT "support_article_reads_article_id_support_articles_id_fkey" FOREIGN KEY ("article_id") REFERENCES "support_articles"("id") ON DELETE CASCADE;