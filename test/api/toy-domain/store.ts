import { count, inArray, isNull } from 'drizzle-orm'
import type { Db } from '../../../control-plane/src/db/database.ts'
import { greetings } from './tables.ts'

export const insertGreeting = async (db: Db, text: string) => {
  const [row] = await db.insert(greetings).values({ text }).returning()
  if (!row) throw new Error('an insert returns its row')
  return row
}

export const findGreetings = (db: Db, ids: readonly string[]) =>
  db
    .select()
    .from(greetings)
    .where(inArray(greetings.id, [...ids]))

export async function countGreetings(db: Db): Promise<number> {
  const [row] = await db.select({ count: count() }).from(greetings)
  return row?.count ?? 0
}

/** Marks the pending greetings as said. */
export const sayGreetings = (db: Db) =>
  db.update(greetings).set({ saidAt: new Date() }).where(isNull(greetings.saidAt)).returning()
