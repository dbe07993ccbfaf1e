import { asc, between, count, desc, eq, lt, type SQL, sql, sum } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { supportArticles, supportArticleVotes } from '../articles/tables.ts'
import { supportArticleReads, supportMissedSearches } from './tables.ts'

/** How many different searches are counted per day, because anybody can search for anything. */
const MOST_WORDS_OF_DAY = 500

export async function countRead(db: Db, day: string, articleId: string): Promise<void> {
  await db
    .insert(supportArticleReads)
    .values({ day, articleId, reads: 1 })
    .onConflictDoUpdate({
      target: [supportArticleReads.day, supportArticleReads.articleId],
      set: { reads: sql`${supportArticleReads.reads} + 1` },
    })
}

/** Counts a search, unless the day has reached its limit and this one is new. */
export async function countMissed(db: Db, day: string, words: string): Promise<void> {
  const ofDay = eq(supportMissedSearches.day, day)
  await db.execute(sql`
    insert into ${supportMissedSearches} (day, words, searches)
    select ${day}::date, ${words}::text, 1
    where exists (select from ${supportMissedSearches}
        where ${ofDay} and ${eq(supportMissedSearches.words, words)})
      or (select count(*) from ${supportMissedSearches} where ${ofDay}) < ${MOST_WORDS_OF_DAY}
    on conflict (day, words)
      do update set searches = ${supportMissedSearches}.searches + 1`)
}

interface Asked {
  readonly from: string
  readonly to: string
  readonly most: number
}

const votes = (helpful: boolean): SQL<number> => sql<number>`(
  select count(*)::int from ${supportArticleVotes} vote
    join ${supportArticles} voted on voted.id = vote.article_id
  where voted.slug = ${supportArticles.slug} and vote.helpful = ${helpful})`

/** Articles across all languages, the most read first. */
export const mostRead = (db: Db, { from, to, most }: Asked) =>
  db
    .select({
      slug: supportArticles.slug,
      title: sql<string>`(array_agg(${supportArticles.title}
        order by ${supportArticles.locale} <> 'en', ${supportArticles.locale}))[1]`,
      reads: sql<number>`sum(${supportArticleReads.reads})::int`,
      helpful: votes(true),
      unhelpful: votes(false),
    })
    .from(supportArticleReads)
    .innerJoin(supportArticles, eq(supportArticles.id, supportArticleReads.articleId))
    .where(between(supportArticleReads.day, from, to))
    .groupBy(supportArticles.slug)
    .orderBy(desc(sum(supportArticleReads.reads)), asc(supportArticles.slug))
    .limit(most)

/** Searches that found nothing, the most frequent first. */
export const mostMissed = (db: Db, { from, to, most }: Asked) =>
  db
    .select({
      words: supportMissedSearches.words,
      searches: sql<number>`sum(${supportMissedSearches.searches})::int`,
      days: count(),
    })
    .from(supportMissedSearches)
    .where(between(supportMissedSearches.day, from, to))
    .groupBy(supportMissedSearches.words)
    .orderBy(desc(sum(supportMissedSearches.searches)), asc(supportMissedSearches.words))
    .limit(most)

/** @returns how many rows were deleted */
export async function deleteOldUse(db: Db, days: number): Promise<number> {
  const first = sql`current_date - ${days}::int`
  const reads = await db.delete(supportArticleReads).where(lt(supportArticleReads.day, first))
  const missed = await db.delete(supportMissedSearches).where(lt(supportMissedSearches.day, first))
  return (reads.rowCount ?? 0) + (missed.rowCount ?? 0)
}
