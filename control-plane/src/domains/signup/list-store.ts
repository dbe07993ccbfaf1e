import type { FilterTerm } from '@lodge/shared/lists/filter.ts'
import type { PendingField, PendingSort } from '@lodge/shared/lists/pending.ts'
import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { Position } from '../../db/cursor.ts'
import { type Db, rowsAtMost } from '../../db/database.ts'
import { conditionsOf, exactly, like, type Matches } from '../../db/filter.ts'
import { inOrder, isAfter, keyIn, type Order, type SortKey } from '../../db/ordered.ts'
import { users } from '../customers/tables.ts'
import { WAITING } from './store.ts'
import { signupInvites, signups } from './tables.ts'

const ID = sql`${users.id}`

export const PENDING_SORT_KEYS: Readonly<Record<PendingSort, SortKey>> = {
  created: { by: () => undefined, type: 'text' },
  email: { by: () => sql`${users.email}`, type: 'text' },
  state: { by: () => sql`${users.state}`, type: 'text' },
}

interface Wanted {
  readonly terms: readonly FilterTerm[]
  readonly after: Position | undefined
  readonly limit: number
}

const SEARCHED = [users.email, signupInvites.note]

const MATCHES: Matches<PendingField> = {
  state: exactly(users.state),
  email: like(users.email),
  invitation: like(signupInvites.note),
}

/**
 * A page of accounts that wait for confirmation or approval plus one row that tells whether there are
 * more, each with its sort key.
 */
export const listPending = (db: Db, { terms, after, limit }: Wanted, order: Order) =>
  db
    .select({
      row: { ...getTableColumns(users), inviteNote: signupInvites.note },
      key: sql<string>`${keyIn(order)}`,
    })
    .from(users)
    .leftJoin(signups, eq(signups.userId, users.id))
    .leftJoin(signupInvites, eq(signupInvites.id, signups.inviteId))
    .where(
      and(
        inArray(users.state, [...WAITING]),
        ...conditionsOf(terms, MATCHES, SEARCHED),
        after && isAfter(order, after, ID),
      ),
    )
    .orderBy(sql`${inOrder(order, ID)} ${rowsAtMost(limit + 1)}`)
