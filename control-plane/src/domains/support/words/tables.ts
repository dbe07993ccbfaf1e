import { sql } from 'drizzle-orm'
import { boolean, check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'

/** Words that occur in tickets, to suggest corrections and completions. */
export const supportWords = pgTable(
  'support_words',
  { word: text('word').primaryKey() },
  (table) => [
    index('support_words_alike').using('gin', table.word.op('gin_trgm_ops')),
    index('support_words_begin').on(table.word.op('text_pattern_ops')),
  ],
)

/** How far words have been learned and checked: one row. */
export const supportWordsProgress = pgTable(
  'support_words_progress',
  {
    only: boolean('only').primaryKey().default(true),
    /** The last message that was read. */
    readTo: uuid('read_to').notNull(),
    /** The last message behind which no other can still be committed. */
    learnedTo: uuid('learned_to').notNull(),
    /** The last word that was checked, in alphabetical order. */
    checkedTo: text('checked_to').notNull().default(''),
  },
  (table) => [check('support_words_progress_only', sql`${table.only}`)],
)
