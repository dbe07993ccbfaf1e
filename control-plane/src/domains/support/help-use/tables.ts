import { date, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { supportArticles } from '../articles/tables.ts'

/** How often each text of a help article was read, by day of the desk. Readers are not recorded. */
export const supportArticleReads = pgTable(
  'support_article_reads',
  {
    day: date('day', { mode: 'string' }).notNull(),
    articleId: uuid('article_id')
      .notNull()
      .references(() => supportArticles.id, { onDelete: 'cascade' }),
    reads: integer('reads').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.articleId] }),
    index('support_article_reads_article').on(table.articleId),
  ],
)

/** Searches for which the help center had nothing, by day of the desk. Searchers are not recorded. */
export const supportMissedSearches = pgTable(
  'support_missed_searches',
  {
    day: date('day', { mode: 'string' }).notNull(),
    words: text('words').notNull(),
    searches: integer('searches').notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.words] })],
)
