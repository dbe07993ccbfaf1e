import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { type CategoryRow, supportCategories } from './tables.ts'

export async function findCategory(db: Db, id: string): Promise<CategoryRow | undefined> {
  const [row] = await db.select().from(supportCategories).where(eq(supportCategories.id, id))
  return row
}
