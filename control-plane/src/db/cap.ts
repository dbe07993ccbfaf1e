import { type SQL, sql } from 'drizzle-orm'
import { Problem } from '../problem.ts'
import { type Db, isTransaction } from './database.ts'

/** How many of a thing there may be: of an account, of a server, or in all. */
export interface Cap {
  readonly name: string
  readonly most: number
  /** A query with one row for each that is there. @param of whose, e.g. the id of an account */
  readonly present: (of: string) => SQL
  /** What to say when there is no room, and what to do then. */
  readonly refusal: string
}

const declared: Cap[] = []

/** Every cap there is, as far as its domain has been loaded. */
export const declaredCaps: readonly Cap[] = declared

export function defineCap(cap: Cap): Cap {
  declared.push(cap)
  return cap
}

/** Lets one after another count and add until the transaction ends, on all control planes. */
export async function lockCap(db: Db, { name }: Cap, of: string): Promise<void> {
  if (!isTransaction(db)) throw new Error('a cap is held within a transaction')
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`cap ${name} ${of}`}, 0))`)
}

/**
 * Refuses when no more may be added. Others who want to add wait until the transaction ends, so that no
 * two of them take the last place.
 * @param of whose, e.g. the id of an account; left out where the cap is on all
 */
export async function requireFree(db: Db, cap: Cap, of = ''): Promise<void> {
  await lockCap(db, cap, of)
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from (${cap.present(of)}) present`,
  )
  if ((rows[0]?.count ?? 0) >= cap.most) throw new Problem('conflict', cap.refusal)
}
