import type pg from 'pg'

const MESSAGES_EACH = 4
const WORDS_EACH = 40
/** Of a batch of this many messages the words are drawn, joined and parsed at once. */
const BATCH = 50_000
/** Different words, of which the rarest are names and numbers of one ticket. */
const VOCABULARY = 50_000
const CUSTOMERS = 20_000
/** As in any language: the word of rank r occurs one r-th as often as the first one. */
const RANK = `power(${VOCABULARY}, random())::int`

/**
 * A desk with so many messages, four in each ticket, one in ten of them a note of the staff, and
 * 20,000 customers, of whom the one at `customer0@example.org` has the most tickets.
 */
export async function insertDesk(pool: pg.Pool, messages: number): Promise<void> {
  const tickets = messages / MESSAGES_EACH
  // Building an index at the end is faster than adding to it.
  const { rows: indexes } = await pool.query<{ indexdef: string }>(
    "select indexdef from pg_indexes where indexname = 'support_messages_found'",
  )
  await pool.query('drop index support_messages_found')
  for (const statement of [...vocabulary, ...customers]) await pool.query(statement)
  for (let from = 1; from <= tickets; from += BATCH) {
    const to = Math.min(tickets, from + BATCH - 1)
    await pool.query(
      `insert into support_tickets (id, subject, status, priority, source, answers, requester_id, requester_email,
         spam, created_at, updated_at, touched_at, status_since, closed_at)
       select uuidv7(at - now()), words.text, case when solved then 'closed' else 'open' end, 'normal',
         'web', '{}', who.id, who.email, words.n % 100 = 1, at, at, at, at, case when solved then at end
       from (${texts(from, to, 5)}) words,
         lateral (select now() - (${tickets} - words.n) * interval '2 minutes' as at,
           words.n <= ${tickets * 0.98} as solved) moment,
         lateral (select id, email from bench_customers
           where n = ((words.n::bigint * 7919 % ${CUSTOMERS}) ^ 2 / ${CUSTOMERS})::int) who`,
    )
  }
  await pool.query(
    `insert into support_participants (id, ticket_id, role, email, user_id)
     select uuidv7(), id, 'requester', requester_email, requester_id from support_tickets`,
  )
  await pool.query(
    `insert into support_reads (user_id, ticket_id, read_at)
     select requester_id, id, updated_at from support_tickets`,
  )
  await pool.query('analyze support_tickets')
  for (let from = 1; from <= messages; from += BATCH) {
    const to = Math.min(messages, from + BATCH - 1)
    await pool.query(
      `insert into support_messages (id, ticket_id, kind, author_kind, body, channel, created_at, words)
       select uuidv7(ticket.created_at - now()), ticket.id, case when words.n % 10 = 3 then 'note' else 'reply' end,
         case when words.n % 2 = 0 then 'customer' else 'agent' end, words.text, 'web', ticket.created_at,
         to_tsvector('english', words.text)
       from (${texts(from, to, WORDS_EACH)}) words
         join support_tickets ticket on ticket.number = (words.n + ${MESSAGES_EACH - 1}) / ${MESSAGES_EACH}`,
    )
  }
  for (const { indexdef } of indexes) await pool.query(indexdef)
  for (const statement of known) await pool.query(statement)
  await pool.query('vacuum analyze')
}

const texts = (from: number, to: number, words: number) =>
  `select drawn.n, string_agg(word, ' ') as text
   from (select n, ${RANK} as w from generate_series(${from}, ${to}) n, generate_series(1, ${words})) drawn
     join bench_words on bench_words.n = drawn.w group by drawn.n order by drawn.n`

const vocabulary = [
  `create function bench_word(n int) returns text language sql immutable as $$
     select string_agg((array['ba','ke','lim','tor','si','wen','po','dra','mu','fel','ga','nit','ro','shu',
       'vo','kar','ti','lo','xan','ye','be','cor','du','est','fa','gri','hol','ju','ki','lan','mer','no',
       'pel','qua','ras','sto','tan','ul','vis','zo'])[1 + (n::bigint * 7919 / power(40, at)::int) % 40], '' order by at)
     from generate_series(0, 2 + n % 2) at $$`,
  `create table bench_words as
   select n, bench_word(n) as word from generate_series(1, ${VOCABULARY}) n`,
  'create unique index on bench_words (n)',
  'analyze bench_words',
]

const customers = [
  `insert into users (id, email, role, preferences)
   select gen_random_uuid(), 'customer' || n || '@example.org', 'customer', '{"mode":null}'
   from generate_series(100, ${CUSTOMERS - 1}) n`,
  `create table bench_customers as
   select substring(email from '\\d+')::int as n, id, email from users where role = 'customer'`,
  'create unique index on bench_customers (n)',
  'analyze bench_customers',
]

/** What the control plane learns of so many messages by itself within some minutes. */
const known = [
  `insert into support_words (word)
   select distinct stem from bench_words, unnest(tsvector_to_array(to_tsvector('english', word))) stem
   on conflict do nothing`,
  `insert into support_words_progress (read_to, learned_to)
   select id, id from support_messages order by id desc limit 1`,
]
