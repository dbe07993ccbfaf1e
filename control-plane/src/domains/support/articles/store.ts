import { and, asc, desc, eq, getTableColumns, inArray, lte, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Position } from '../../../db/cursor.ts'
import type { Db } from '../../../db/database.ts'
import { users } from '../../customers/tables.ts'
import type { Reader } from './reader.ts'
import {
  type ArticleRow,
  supportArticleRevisions,
  supportArticles,
  supportArticleVotes,
} from './tables.ts'

/** An article with its votes, and the excerpt that a list shows. */
export interface FoundArticle extends Omit<ArticleRow, 'body' | 'plain'> {
  readonly excerpt: string
  readonly helpful: number
  readonly unhelpful: number
  /** The sort key of lists. */
  readonly key: string
}

const { words: _, language: __, ...columns } = getTableColumns(supportArticles)
const { body: ___, plain, ...listed } = columns

const votes = (
  helpful: boolean,
  id: PgColumn = supportArticles.id,
) => sql<number>`(select count(*)::int from ${supportArticleVotes} vote
  where vote.article_id = ${id} and vote.helpful = ${helpful})`

const seenBy = ({ visibilities, writes }: Reader) =>
  and(
    inArray(supportArticles.visibility, [...visibilities]),
    writes ? undefined : eq(supportArticles.status, 'published'),
  )

/** Orders the texts of a slug by how well they suit a reader's language. */
const suits = (locale: string) => [
  desc(eq(supportArticles.locale, locale)),
  desc(sql`split_part(${supportArticles.locale}, '-', 1) = ${locale.split('-')[0]}`),
  desc(eq(supportArticles.locale, 'en')),
  asc(supportArticles.locale),
]

const EXCERPT = sql<string>`left(${plain}, 200)`
const KEY = sql<string>`concat_ws(' ', coalesce(${supportArticles.section}, ''),
  lpad(${supportArticles.position}::text, 6, '0'), ${supportArticles.title})`

/** One text for each slug that the reader may see, by section, position and title. */
export async function listArticles(
  db: Db,
  reader: Reader,
  given: { locale: string; after: Position | undefined; limit: number },
): Promise<FoundArticle[]> {
  const chosen = db
    .selectDistinctOn([supportArticles.slug], {
      ...listed,
      excerpt: EXCERPT.as('excerpt'),
      helpful: votes(true).as('helpful'),
      unhelpful: votes(false).as('unhelpful'),
      key: KEY.as('key'),
    })
    .from(supportArticles)
    .where(seenBy(reader))
    .orderBy(supportArticles.slug, ...suits(given.locale))
    .as('chosen')
  return db
    .select()
    .from(chosen)
    .where(
      given.after &&
        sql`(${chosen.key}, ${chosen.id}) > (${given.after[0]}, ${given.after[1]}::uuid)`,
    )
    .orderBy(asc(chosen.key), asc(chosen.id))
    .limit(given.limit + 1)
}

const LANGUAGE = sql`${supportArticles.language}::regconfig`

/** Trigram similarity from which a title is found although a word is misspelt. */
const ALIKE = 0.33

/** The best matches, one for each slug. */
export async function searchArticles(
  db: Db,
  reader: Reader,
  given: { words: string; locale: string; limit: number },
): Promise<FoundArticle[]> {
  const query = sql`websearch_to_tsquery(${LANGUAGE}, ${given.words})`
  const alike = sql<number>`word_similarity(${given.words}, ${supportArticles.title})`
  const matches = sql<boolean>`${supportArticles.words} @@ ${query}`
  // Two subqueries: one through the index, for one language after another, and one on titles only.
  const either = sql`${supportArticles.id} in (
    select text.id from (select distinct language from ${supportArticles}) spoken
      join ${supportArticles} text on text.language = spoken.language
        and text.words @@ websearch_to_tsquery(spoken.language::regconfig, ${given.words})
    union all select id from ${supportArticles} where ${alike} >= ${ALIKE})`
  const found = db
    .selectDistinctOn([supportArticles.slug], {
      ...listed,
      ...{ plain, language: supportArticles.language },
      matches: matches.as('matches'),
      rank: sql<number>`ts_rank(${supportArticles.words}, ${query}) + ${alike}`.as('rank'),
    })
    .from(supportArticles)
    .where(and(seenBy(reader), either))
    .orderBy(supportArticles.slug, ...suits(given.locale))
    .as('found')
  const best = db
    .select()
    .from(found)
    .orderBy(desc(found.rank), asc(found.id))
    .limit(given.limit)
    .as('best')
  const { plain: text, language, matches: isMatch, rank, ...shown } = best._.selectedFields
  const config = sql`${language}::regconfig`
  // Excerpts only for the articles shown: extracting one takes longer than the search.
  return db
    .select({
      ...shown,
      excerpt: sql<string>`case when ${isMatch}
        then ts_headline(${config}, ${text}, websearch_to_tsquery(${config}, ${given.words}),
          'StartSel="", StopSel="", MaxWords=32, MinWords=16')
        else left(${text}, 200) end`,
      ...{ helpful: votes(true, best.id), unhelpful: votes(false, best.id) },
      key: sql<string>`''`,
    })
    .from(best)
    .orderBy(desc(rank), asc(best.id))
}

/** All texts of a slug that the reader may see, the best one first. */
export const findTexts = (
  db: Db,
  reader: Reader,
  slug: string,
  locale: string,
): Promise<(ArticleRow & { helpful: number; unhelpful: number })[]> =>
  db
    .select({ ...columns, helpful: votes(true), unhelpful: votes(false) })
    .from(supportArticles)
    .where(and(eq(supportArticles.slug, slug), seenBy(reader)))
    .orderBy(...suits(locale))

/** Locks the text of a slug in a language until the transaction ends. */
export async function lockText(
  db: Db,
  slug: string,
  locale: string,
): Promise<ArticleRow | undefined> {
  const [row] = await db
    .select(columns)
    .from(supportArticles)
    .where(and(eq(supportArticles.slug, slug), eq(supportArticles.locale, locale)))
    .for('update')
  return row
}

type Values = Omit<typeof supportArticles.$inferInsert, 'words'>

export async function saveArticle(db: Db, { id, ...given }: Values): Promise<void> {
  const { language, title, keywords, plain } = given
  const weighed = (weight: string, text: SQL) =>
    sql`setweight(to_tsvector(${language}::regconfig, ${text}), ${sql.raw(`'${weight}'`)})`
  const values = {
    ...given,
    words: sql`${weighed('A', sql`${title}::text`)} || ${weighed('B', sql`${keywords.join('\n')}::text`)} || ${weighed('C', sql`${plain}::text`)}`,
  }
  await db
    .insert(supportArticles)
    .values({ id, ...values })
    .onConflictDoUpdate({ target: supportArticles.id, set: values })
}

export async function keepRevision(
  db: Db,
  row: typeof supportArticleRevisions.$inferInsert,
  kept: number,
): Promise<void> {
  await db.insert(supportArticleRevisions).values(row)
  await db
    .delete(supportArticleRevisions)
    .where(
      and(
        eq(supportArticleRevisions.articleId, row.articleId),
        lte(supportArticleRevisions.revision, row.revision - kept),
      ),
    )
}

/** Newest first. */
export const listRevisions = (db: Db, articleId: string) =>
  db
    .select({
      revision: supportArticleRevisions.revision,
      title: supportArticleRevisions.title,
      body: supportArticleRevisions.body,
      createdAt: supportArticleRevisions.createdAt,
      author: users.email,
    })
    .from(supportArticleRevisions)
    .leftJoin(users, eq(users.id, supportArticleRevisions.authorId))
    .where(eq(supportArticleRevisions.articleId, articleId))
    .orderBy(desc(supportArticleRevisions.revision))

/** False if there was none. */
export async function deleteTexts(db: Db, slug: string, locale?: string): Promise<boolean> {
  const gone = await db
    .delete(supportArticles)
    .where(
      and(
        eq(supportArticles.slug, slug),
        locale === undefined ? undefined : eq(supportArticles.locale, locale),
      ),
    )
    .returning({ id: supportArticles.id })
  return gone.length > 0
}

export async function findVote(
  db: Db,
  articleId: string,
  userId: string,
): Promise<boolean | undefined> {
  const [row] = await db
    .select({ helpful: supportArticleVotes.helpful })
    .from(supportArticleVotes)
    .where(
      and(eq(supportArticleVotes.articleId, articleId), eq(supportArticleVotes.userId, userId)),
    )
  return row?.helpful
}

/** @param helpful null withdraws the vote */
export async function saveVote(
  db: Db,
  vote: { articleId: string; userId: string; helpful: boolean | null },
): Promise<void> {
  const { articleId, userId, helpful } = vote
  if (helpful === null)
    await db
      .delete(supportArticleVotes)
      .where(
        and(eq(supportArticleVotes.articleId, articleId), eq(supportArticleVotes.userId, userId)),
      )
  else
    await db
      .insert(supportArticleVotes)
      .values({ articleId, userId, helpful })
      .onConflictDoUpdate({
        target: [supportArticleVotes.articleId, supportArticleVotes.userId],
        set: { helpful },
      })
}
