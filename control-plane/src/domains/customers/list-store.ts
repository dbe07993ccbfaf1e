import type { CustomerField, CustomerSort } from '@lodge/shared/lists/customers.ts'
import type { FilterTerm } from '@lodge/shared/lists/filter.ts'
import { and, eq, sql } from 'drizzle-orm'
import type { Position } from '../../db/cursor.ts'
import { type Db, rowsAtMost } from '../../db/database.ts'
import { conditionsOf, containedIn, exactly, like, type Matches } from '../../db/filter.ts'
import { inOrder, isAfter, keyIn, type Order, type SortKey } from '../../db/ordered.ts'
import { type UserRow, users } from './tables.ts'

const ID = sql`${users.id}`

/** Addresses are stored in lower case, so their order can use an index. */
export const CUSTOMER_SORT_KEYS: Readonly<Record<CustomerSort, SortKey>> = {
  email: { by: () => sql`${users.email}`, type: 'text' },
  // A digit before each puts those without a name last, in any collation.
  name: {
    by: (descending) =>
      sql`case when ${users.name} is null then ${sql.raw(descending ? `'0'` : `'1'`)}
        else ${sql.raw(descending ? `'1'` : `'0'`)} || lower(${users.name}) end`,
    type: 'text',
  },
  state: { by: () => sql`${users.state}`, type: 'text' },
  created: { by: () => undefined, type: 'text' },
}

const SEARCHED = [users.email, users.name]

const MATCHES: Matches<CustomerField> = {
  state: exactly(users.state),
  email: like(users.email),
  name: like(users.name),
}

interface Wanted {
  /** Text that the address or the name contains, literally. */
  readonly q: string | undefined
  readonly terms: readonly FilterTerm[]
  readonly after: Position | undefined
  readonly limit: number
}

/** A page of customers plus one row that tells whether there are more, each with its sort key. */
export async function listCustomers(
  db: Db,
  { q, terms, after, limit }: Wanted,
  order: Order,
): Promise<{ row: UserRow; key: string }[]> {
  return db
    .select({ row: users, key: sql<string>`${keyIn(order)}` })
    .from(users)
    .where(
      and(
        eq(users.role, 'customer'),
        q ? containedIn(SEARCHED, q) : undefined,
        ...conditionsOf(terms, MATCHES, SEARCHED),
        after && isAfter(order, after, ID),
      ),
    )
    .orderBy(sql`${inOrder(order, ID)} ${rowsAtMost(limit + 1)}`)
}
