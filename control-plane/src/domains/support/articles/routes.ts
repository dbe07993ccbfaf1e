import {
  Article,
  ArticleLocale,
  ArticleRevision,
  ArticleSummary,
  ArticlesQuery,
  PreviewArticle,
  VoteOnArticle,
  WriteArticle,
} from '@lodge/shared/support/articles.ts'
import { z } from 'zod'
import { pageOf } from '../../../db/cursor.ts'
import { del, get, post } from '../../../http/endpoint.ts'
import { renderMarkdown } from '../../../markdown.ts'
import { supportBudgets } from '../budgets.ts'
import * as articles from './articles.ts'
import { ANYBODY, readerOf } from './reader.ts'

const inLanguage = z.object({ locale: ArticleLocale.optional() })

export const listPublicArticles = get('/api/support/public', {
  summary: 'Public help articles, or those that match a search',
  access: { who: 'anyone', throttle: supportBudgets.publicHelp },
  query: ArticlesQuery,
  reply: pageOf(ArticleSummary),
  handle: ({ ctx, query }) => articles.listArticles(ctx, ANYBODY, query),
})

export const showPublicArticle = get('/api/support/public/{slug}', {
  summary: 'One public help article',
  access: { who: 'anyone', throttle: supportBudgets.publicHelp },
  query: inLanguage,
  reply: Article,
  handle: ({ ctx, params, query }) => articles.showArticle(ctx, ANYBODY, params.slug, query.locale),
})

export const listArticles = get('/api/support/articles', {
  summary: 'Help articles that the caller may read; with `q`, those that match',
  access: { who: 'user', whileSuspended: 'tickets' },
  query: ArticlesQuery,
  reply: pageOf(ArticleSummary),
  handle: ({ ctx, query }) => articles.listArticles(ctx, readerOf(ctx.actor), query),
})

export const searchSupport = get('/api/support/search', {
  summary: 'Help articles that match a search, the best first',
  access: { who: 'user', whileSuspended: 'tickets' },
  query: ArticlesQuery.omit({ after: true }).extend({ q: z.string().trim().min(1).max(200) }),
  reply: pageOf(ArticleSummary),
  handle: ({ ctx, query }) => articles.listArticles(ctx, readerOf(ctx.actor), query),
})

export const writeArticle = post('/api/support/articles', {
  summary: 'Write a help article; the text of this slug and language is replaced',
  access: { who: 'admin', may: 'articles.manage' },
  body: WriteArticle,
  reply: Article,
  recorded: 'wrote a help article',
  handle: ({ ctx, body }) => articles.writeArticle(ctx, body),
})

export const showArticle = get('/api/support/articles/{slug}', {
  summary: 'Read a help article',
  access: { who: 'user', whileSuspended: 'tickets' },
  query: inLanguage,
  reply: Article,
  handle: ({ ctx, params, query }) =>
    articles.showArticle(ctx, readerOf(ctx.actor), params.slug, query.locale),
})

export const previewArticle = post('/api/support/articles/preview', {
  summary: 'The text of a help article as readers will see it',
  access: { who: 'admin', may: 'articles.manage' },
  body: PreviewArticle,
  reply: z.object({ html: z.string() }),
  recorded: false,
  handle: async ({ body }) => ({ html: renderMarkdown(body.bodyMarkdown) }),
})

export const deleteArticle = del('/api/support/articles/{slug}', {
  summary: 'Delete a help article, in one language or in all',
  access: { who: 'admin', may: 'articles.manage', stepUp: true },
  query: inLanguage,
  recorded: 'deleted a help article',
  handle: ({ ctx, params, query }) => articles.deleteArticle(ctx, params.slug, query.locale),
})

export const listArticleRevisions = get('/api/support/articles/{slug}/revisions', {
  summary: 'Earlier texts of a help article, newest first',
  access: { who: 'admin', may: 'articles.manage' },
  query: z.object({ locale: ArticleLocale }),
  reply: z.object({ items: z.array(ArticleRevision) }),
  handle: ({ ctx, params, query }) => articles.listRevisions(ctx, params.slug, query.locale),
})

export const voteOnArticle = post('/api/support/articles/{slug}/vote', {
  summary: 'Say whether a help article helped',
  access: { who: 'user' },
  query: inLanguage,
  body: VoteOnArticle,
  reply: Article,
  recorded: false,
  handle: ({ ctx, params, query, body }) =>
    articles.voteOnArticle(ctx, params.slug, body.helpful, query.locale),
})
