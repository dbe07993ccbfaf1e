import { randomUUIDv7 } from 'node:crypto'
import {
  type Article,
  type ArticleRevision,
  type ArticleSummary,
  type ArticlesQuery,
  REVISIONS_KEPT,
  type WriteArticle,
} from '@lodge/shared/support/articles.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { lockCap, requireFree } from '../../../db/cap.ts'
import { cutPage, decodeCursor } from '../../../db/cursor.ts'
import { plainText, renderMarkdown } from '../../../markdown.ts'
import { notFound, Problem } from '../../../problem.ts'
import { articleCap } from './cap-store.ts'
import { configurationOf } from './languages.ts'
import { type Reader, readerOf } from './reader.ts'
import * as store from './store.ts'
import type { ArticleRow } from './tables.ts'

/** For readers who name no language. */
const LOCALE = 'en'

/** Articles that a reader may see: the matches for a search, the best first, or all by section. */
export async function listArticles(
  ctx: Ctx,
  reader: Reader,
  { q, locale = LOCALE, limit, after }: ArticlesQuery,
): Promise<{ items: ArticleSummary[]; nextCursor: string | null }> {
  if (q !== '') {
    const found = await store.searchArticles(ctx.db, reader, { words: q, locale, limit })
    return { items: found.map(summary), nextCursor: null }
  }
  const rows = await store.listArticles(ctx.db, reader, {
    locale,
    limit,
    after: decodeCursor(after),
  })
  const page = cutPage(rows, limit, (row) => [row.key, row.id])
  return { ...page, items: page.items.map(summary) }
}

const summary = (row: store.FoundArticle): ArticleSummary => ({
  ...about(row),
  excerpt: row.excerpt,
  helpful: row.helpful,
  unhelpful: row.unhelpful,
})

const about = (row: Omit<ArticleRow, 'body' | 'plain'>) => ({
  slug: row.slug,
  locale: row.locale,
  title: row.title,
  visibility: row.visibility,
  status: row.status,
  section: row.section,
  position: row.position,
  updatedAt: row.updatedAt.toISOString(),
})

/**
 * The text of an article in the best language for the reader.
 * @throws {Problem} not_found
 */
export async function textFor(
  { db }: Ctx,
  reader: Reader,
  slug: string,
  locale = LOCALE,
): Promise<Pick<ArticleRow, 'id' | 'status'>> {
  const [row] = await store.findTexts(db, reader, slug, locale)
  if (!row) throw notFound('article')
  return row
}

/** An article in the best language for the reader. */
export async function showArticle(
  ctx: Ctx,
  reader: Reader,
  slug: string,
  locale = LOCALE,
): Promise<Article> {
  const texts = await store.findTexts(ctx.db, reader, slug, locale)
  const [row] = texts
  if (!row) throw notFound('article')
  const vote = reader.id === null ? undefined : await store.findVote(ctx.db, row.id, reader.id)
  return {
    ...about(row),
    excerpt: row.plain.slice(0, 200),
    helpful: row.helpful,
    unhelpful: row.unhelpful,
    html: renderMarkdown(row.body),
    locales: texts.map((text) => text.locale).sort(),
    vote: vote === undefined ? null : vote ? 'helpful' : 'unhelpful',
    source: reader.writes
      ? { bodyMarkdown: row.body, keywords: row.keywords, revision: row.revision }
      : null,
  }
}

/** Creates or replaces the text of a slug in a language. */
export const writeArticle = (ctx: Ctx<User>, given: WriteArticle): Promise<Article> =>
  ctx.transaction(async (ctx) => {
    const { slug, locale, title, bodyMarkdown: body, revision: edited, ...rest } = given
    // Serializes two people who create the same article.
    await lockCap(ctx.db, articleCap, '')
    const present = await store.lockText(ctx.db, slug, locale)
    if (!present) await requireFree(ctx.db, articleCap)
    if (edited !== undefined && edited !== (present?.revision ?? 0))
      throw new Problem(
        'conflict',
        present
          ? 'Somebody else has changed the article: load it again and make your changes in the new text'
          : 'The article has been deleted: save it as a new one',
      )
    const id = present?.id ?? randomUUIDv7()
    const revision = (present?.revision ?? 0) + 1
    await store.saveArticle(ctx.db, {
      ...rest,
      id,
      slug,
      locale,
      title,
      body,
      revision,
      plain: plainText(body),
      language: configurationOf(locale),
      updatedAt: ctx.now,
    })
    await store.keepRevision(
      ctx.db,
      { articleId: id, revision, title, body, authorId: ctx.actor.id },
      REVISIONS_KEPT,
    )
    return showArticle(ctx, readerOf(ctx.actor), slug, locale)
  })

/** Deletes the text in one language, or all of the slug. */
export async function deleteArticle(ctx: Ctx, slug: string, locale?: string): Promise<void> {
  if (!(await store.deleteTexts(ctx.db, slug, locale))) throw notFound('article')
}

/** Earlier texts of the article in one language, newest first. */
export async function listRevisions(
  ctx: Ctx,
  slug: string,
  locale: string,
): Promise<{ items: ArticleRevision[] }> {
  const row = await store.lockText(ctx.db, slug, locale)
  if (!row) throw notFound('article')
  const rows = await store.listRevisions(ctx.db, row.id)
  return {
    items: rows.map(({ revision, title, body, author, createdAt }) => ({
      revision,
      title,
      bodyMarkdown: body,
      author,
      createdAt: createdAt.toISOString(),
    })),
  }
}

/** One vote for each person; a later one replaces it. */
export async function voteOnArticle(
  ctx: Ctx<User>,
  slug: string,
  helpful: boolean | null,
  locale = LOCALE,
): Promise<Article> {
  const reader = readerOf(ctx.actor)
  const [row] = await store.findTexts(ctx.db, reader, slug, locale)
  if (row?.status !== 'published') throw notFound('article')
  await store.saveVote(ctx.db, { articleId: row.id, userId: ctx.actor.id, helpful })
  return showArticle(ctx, reader, slug, locale)
}
