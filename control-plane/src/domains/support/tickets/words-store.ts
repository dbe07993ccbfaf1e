import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { IS_WORD } from '../words/store.ts'
import { supportWords } from '../words/tables.ts'
import { dated } from './dated-store.ts'
import { supportMessages as message, supportTickets as ticket } from './tables.ts'
import { LANGUAGE } from './thread-store.ts'

/**
 * Learns the words of the next messages and of their subjects, without those of notes: what only the
 * staff may read helps nobody else to guess.
 * @returns the last message and how many there were
 */
export async function learnWords(
  db: Db,
  after: string,
  most: number,
): Promise<{ last: string | null; messages: number }> {
  // In their order, so that two instances that learn the same words wait for each other in one direction.
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
 * Forgets which of the next words occur nowhere any more, as those of a customer who has gone.
 * @returns the last of the words that were looked for, null at the end of them
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
