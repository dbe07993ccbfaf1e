import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { supportWords, supportWordsProgress } from './tables.ts'

/** Limits for one word: words that begin with it, and similarly spelt ones. */
const MOST_BEGUN = 10
const MOST_ALIKE = 5

/** Only letters: numbers, addresses and other unique strings have no misspellings to correct. */
export const IS_WORD = sql.raw("~ '^[^\\x01-\\x60\\x7b-\\x7f]{3,30}$'")

/** For each word of a text, as it is in the index: the similar words. */
export async function nearWords(
  db: Db,
  language: ReturnType<typeof sql.raw>,
  text: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await db.execute<{ given: string; near: string[] }>(sql`
    select given, array_agg(near.word) as near
    from unnest(tsvector_to_array(to_tsvector(${language}, ${text}))) given cross join lateral (
      (select word from ${supportWords}
        where word ~>=~ given and word ~<~ (given || U&'\\+10FFFF') and word <> given
        order by word using ~<~ limit ${MOST_BEGUN})
      union
      (select word from ${supportWords} where word % given and word <> given
        order by similarity(word, given) desc, word limit ${MOST_ALIKE})
    ) near
    where given ${IS_WORD} group by given`)
  return new Map(rows.map(({ given, near }) => [given, near]))
}

export const ANY_UNREAD = `select from support_messages
  where id > coalesce((select read_to from support_words_progress), '00000000-0000-0000-0000-000000000000')`

/** How far words have been learned and checked. */
export async function findProgress(
  db: Db,
): Promise<{ learnedTo: string; checkedTo: string } | undefined> {
  const [row] = await db.select().from(supportWordsProgress)
  return row
}

/**
 * Two instances may learn concurrently; neither has to read again what the other has read.
 * @param settled the last message behind which no other can still be committed
 */
export async function noteLearned(
  db: Db,
  { read, settled }: { readonly read: string; readonly settled: string },
): Promise<void> {
  await db
    .insert(supportWordsProgress)
    .values({ readTo: read, learnedTo: sql`least(${read}::uuid, ${settled}::uuid)` })
    .onConflictDoUpdate({
      target: supportWordsProgress.only,
      set: {
        readTo: sql`greatest(${supportWordsProgress.readTo}, excluded.read_to)`,
        learnedTo: sql`greatest(${supportWordsProgress.learnedTo}, excluded.learned_to)`,
      },
    })
}

export async function noteChecked(db: Db, checkedTo: string): Promise<void> {
  await db.update(supportWordsProgress).set({ checkedTo })
}
