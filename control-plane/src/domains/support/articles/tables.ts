import { ARTICLE_STATUSES, ARTICLE_VISIBILITIES } from '@lodge/shared/support/articles.ts'
import {
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { moment } from '../../../db/columns.ts'
import { users } from '../../customers/tables.ts'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/** Help articles; the texts of one slug are translations of each other. */
export const supportArticles = pgTable(
  'support_articles',
  {
    id: uuid('id').primaryKey(),
    slug: text('slug').notNull(),
    locale: text('locale').notNull(),
    title: text('title').notNull(),
    body: text('body').notNull(),
    /** The body without markup, for search and excerpts. */
    plain: text('plain').notNull(),
    keywords: jsonb('keywords').$type<string[]>().notNull(),
    visibility: text('visibility', { enum: ARTICLE_VISIBILITIES }).notNull(),
    status: text('status', { enum: ARTICLE_STATUSES }).notNull(),
    section: text('section'),
    position: integer('position').notNull(),
    revision: integer('revision').notNull().default(1),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    /** The text search configuration of its language. Not a `regconfig`: pg_upgrade refuses them. */
    language: text('language').notNull(),
    words: tsvector('words').notNull(),
  },
  (table) => [
    uniqueIndex('support_articles_slug').on(table.slug, table.locale),
    index('support_articles_words').using('gin', table.words),
    index('support_articles_title').using('gin', table.title.op('gin_trgm_ops')),
  ],
)
export type ArticleRow = Omit<typeof supportArticles.$inferSelect, 'words' | 'language'>

/** Every text that an article has had. */
export const supportArticleRevisions = pgTable(
  'support_article_revisions',
  {
    articleId: uuid('article_id')
      .notNull()
      .references(() => supportArticles.id, { onDelete: 'cascade' }),
    revision: integer('revision').notNull(),
    title: text('title').notNull(),
    body: text('body').notNull(),
    authorId: uuid('author_id').references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.articleId, table.revision] }),
    index('support_article_revisions_author').on(table.authorId),
  ],
)

/** Whether it helped: one vote for each person. */
export const supportArticleVotes = pgTable(
  'support_article_votes',
  {
    articleId: uuid('article_id')
      .notNull()
      .references(() => supportArticles.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    helpful: boolean('helpful').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.articleId, table.userId] }),
    index('support_article_votes_user').on(table.userId),
  ],
)
