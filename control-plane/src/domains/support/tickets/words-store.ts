import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { IS_WORD } from '../words/store.ts'
import { supportWords } from '../words/tables.ts'
import { dated } from './dated-store.ts'
import { supportMessages as message, supportTickets as ticket } from './tables.ts'
import { LANGUAGE } from './thread-store.ts'

/**
 * Learns the words of the next messages and subjects, but not those of notes: suggestions must not
 * reveal internal text.
 * @returns the last message and how many there were
 */
export async function learnWords(
  db: Db,
  after: string,
  most: number,
): Promise<{ last: string | null; messages: number }> {
  // Ordered, to prevent deadlocks between instances that learn the same words.
  const { rows } = await db.execute<{ last: string | null; messages: number }>(sql`
    with read as materialized (
      select message.id, message.words, message.kind <> 'note' and not message.held as open,
        ${ticket.subject} as subject
      from ${message} message join ${ticket} on ${ticket.id} = message.ticket_id
      where message.id > ${after} order by message.id limit ${most}),
    found as (
      select distinct word from read,
        unnest(tsvector_to_array(read.words || to_tsvector(${LANGUAGE}, read.subject))) word
      where read.open and word ${IS_WORD} order by word),
    learned as (insert into ${supportWords} (word) select word from found
      on conflict (word) do nothing)
    select max(id::text) as last, count(*)::int as messages from read`)
  return rows[0] ?? { last: null, messages: 0 }
}

/**
 * Deletes those of the next words that no longer occur, such as those of a deleted customer.
 * @returns the last word that was checked, null after the last one
 */
export async function forgetWords(
  db: Db,
  after: string,
  most: number,
): Promise<{ last: string | null; forgotten: number }> {
  const said = dated(sql`message.words`, sql`message.created_at`)
  const titled = dated(sql`to_tsvector(${LANGUAGE}, ${ticket.subject})`, ticket.createdAt)
  const { rows } = await db.execute<{ last: string | null; forgotten: number }>(sql`
    with looked as materialized (
      select word from ${supportWords} where word > ${after} order by word limit ${most}),
    gone as (
      delete from ${supportWords} gone using looked where gone.word = looked.word
        and not exists (select from ${message} message
          where (${said}) @@ quote_literal(looked.word)::tsquery)
        and not exists (select from ${ticket}
          where (${titled}) @@ quote_literal(looked.word)::tsquery)
      returning gone.word)
    select (select max(word) from looked) as last, (select count(*)::int from gone) as forgotten`)
  return rows[0] ?? { last: null, forgotten: 0 }
}
