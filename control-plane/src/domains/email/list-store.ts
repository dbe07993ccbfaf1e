import type { FilterTerm } from '@lodge/shared/lists/filter.ts'
import type { OutboxField, OutboxSort } from '@lodge/shared/lists/outbox.ts'
import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Position } from '../../db/cursor.ts'
import { type Db, rowsAtMost } from '../../db/database.ts'
import { conditionsOf, exactly, like, type Matches } from '../../db/filter.ts'
import { inOrder, isAfter, keyIn, type Order, type SortKey } from '../../db/ordered.ts'
import { users } from '../customers/tables.ts'
import type { MessageRow } from './store.ts'
import { emailMessages } from './tables.ts'

const ID = sql`${emailMessages.id}`

export const OUTBOX_SORT_KEYS: Readonly<Record<OutboxSort, SortKey>> = {
  created: { by: () => undefined, type: 'text' },
  to: { by: () => sql`lower(${emailMessages.toAddress})`, type: 'text' },
  state: { by: () => sql`${emailMessages.state}`, type: 'text' },
  attempts: { by: () => sql`${emailMessages.attempts}`, type: 'double precision' },
}

interface Wanted {
  readonly state: MessageRow['state'] | undefined
  readonly terms: readonly FilterTerm[]
  readonly after: Position | undefined
  readonly limit: number
}

const SEARCHED = [emailMessages.toAddress, emailMessages.subject]

const MATCHES: Matches<OutboxField> = {
  state: exactly(emailMessages.state),
  to: like(emailMessages.toAddress),
  subject: like(emailMessages.subject),
  template: like(emailMessages.template),
  error: like(emailMessages.lastError),
}

/**
 * A page of mails plus one row that tells whether there are more, with the recipient's role and the
 * sort key.
 */
export const listMessages = (db: Db, { state, terms, after, limit }: Wanted, order: Order) =>
  db
    .select({
      row: { ...getTableColumns(emailMessages), role: users.role },
      key: sql<string>`${keyIn(order)}`,
    })
    .from(emailMessages)
    .leftJoin(users, eq(users.id, emailMessages.userId))
    .where(
      and(
        state && eq(emailMessages.state, state),
        ...conditionsOf(terms, MATCHES, SEARCHED),
        after && isAfter(order, after, ID),
      ),
    )
    .orderBy(sql`${inOrder(order, ID)} ${rowsAtMost(limit + 1)}`)
export type ListedMessage = Awaited<ReturnType<typeof listMessages>>[number]['row']
