import { z } from 'zod'

/** API schemas of the help center. */

export const MOST_ARTICLES = 2000
/** Versions of an article that are kept. */
export const REVISIONS_KEPT = 50

/** Who reads it: everybody, signed-in people, or the staff alone. */
export const ARTICLE_VISIBILITIES = ['public', 'customers', 'internal'] as const
export const ARTICLE_STATUSES = ['draft', 'published', 'archived'] as const

export const ArticleSlug = z
  .string()
  .max(100)
  .refine((slug) => slug !== 'new', 'is the address of the page for new articles')
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case words with hyphens, such as first-steps')

/** A language as browsers name it, e.g. `en` or `pt-BR`. */
export const ArticleLocale = z
  .string()
  .max(20)
  .regex(/^[a-z]{2,3}(?:-[A-Z][A-Za-z0-9]+)*$/, 'must be a language such as en or pt-BR')

const line = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^[^\p{Cc}]+$/u)

/** What may be found by a language's own article. */
const shown = {
  slug: ArticleSlug,
  locale: ArticleLocale,
  title: line(200),
}

/** An article of a list, without its text. */
export const ArticleSummary = z.object({
  ...shown,
  visibility: z.enum(ARTICLE_VISIBILITIES),
  status: z.enum(ARTICLE_STATUSES),
  section: z.string().nullable().describe('articles of one section stand together'),
  excerpt: z.string().describe('plain text; of a search, around what matched'),
  position: z.int(),
  helpful: z.int(),
  unhelpful: z.int(),
  updatedAt: z.iso.datetime(),
})
export type ArticleSummary = z.infer<typeof ArticleSummary>

export const Article = ArticleSummary.extend({
  html: z.string().describe('of the text, sanitised'),
  /** Languages in which it can be read. */
  locales: z.array(ArticleLocale),
  vote: z.enum(['helpful', 'unhelpful']).nullable().describe("the caller's own"),
  /** Null for readers. */
  source: z
    .object({ bodyMarkdown: z.string(), keywords: z.array(z.string()), revision: z.int() })
    .nullable()
    .describe('for those who may write articles'),
})
export type Article = z.infer<typeof Article>

/** The whole article: one with this slug and language is replaced. */
export const WriteArticle = z.strictObject({
  ...shown,
  bodyMarkdown: z.string().min(1).max(200_000).describe('Markdown; HTML in it is shown as text'),
  visibility: z.enum(ARTICLE_VISIBILITIES).default('customers'),
  status: z.enum(ARTICLE_STATUSES).default('draft'),
  section: line(60).nullable().default(null),
  keywords: z.array(line(60)).max(30).default([]).describe('found by the search, and not shown'),
  position: z.int().min(0).max(100_000).default(0).describe('within its section, lowest first'),
  revision: z
    .int()
    .min(0)
    .optional()
    .describe('the one that was edited, 0 for a new article: refused if it is not the newest'),
})
export type WriteArticle = z.infer<typeof WriteArticle>

/** An earlier text of an article. */
export const ArticleRevision = z.object({
  revision: z.int(),
  title: z.string(),
  bodyMarkdown: z.string(),
  author: z.string().nullable().describe('address; null if the account is gone'),
  createdAt: z.iso.datetime(),
})
export type ArticleRevision = z.infer<typeof ArticleRevision>

export const ArticlesQuery = z.object({
  q: z.string().trim().max(200).default('').describe('words to look for; all articles without'),
  locale: ArticleLocale.optional().describe('articles that exist in it are given in it'),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  after: z.string().max(512).optional(),
})
export type ArticlesQuery = z.infer<typeof ArticlesQuery>

/** A search that somebody looked at the end of. */
export const MissedSearch = z.strictObject({
  q: z.string().trim().min(1).max(200).describe('what was searched for'),
  locale: ArticleLocale.optional(),
})

export const VoteOnArticle = z.strictObject({
  helpful: z.boolean().nullable().describe('null takes the vote back'),
})

export const PreviewArticle = z.strictObject({ bodyMarkdown: z.string().max(200_000) })
