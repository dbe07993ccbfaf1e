import { type SQL, sql } from 'drizzle-orm'
import { Problem } from '../problem.ts'
import { lockScope } from './advisory-locks.ts'
import type { Db } from './database.ts'

/** A maximum count: per account, per server or overall. */
export interface Cap {
  readonly name: string
  readonly most: number
  /**
   * A query with one row per existing thing.
   * @param of its scope, e.g. an account id
   */
  readonly present: (of: string) => SQL
  /** Detail of the problem when the cap is reached, with the way out. */
  readonly refusal: string
}

const declared: Cap[] = []

/** All caps whose domains have been loaded. */
export const declaredCaps: readonly Cap[] = declared

export function defineCap(cap: Cap): Cap {
  declared.push(cap)
  return cap
}

/** Serialises counting and inserting across all control planes until the transaction ends. */
export async function lockCap(db: Db, { name }: Cap, of: string): Promise<void> {
  await lockScope(db, `cap ${name} ${of}`)
}

/**
 * Refuses if the cap is reached. Concurrent callers wait until the transaction ends, so no two of
 * them take the last place.
 * @param of the scope, e.g. an account id; omitted if the cap is overall
 */
export async function requireFree(db: Db, cap: Cap, of = ''): Promise<void> {
  await lockCap(db, cap, of)
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from (${cap.present(of)}) present`,
  )
  if ((rows[0]?.count ?? 0) >= cap.most) throw new Problem('conflict', cap.refusal)
}
