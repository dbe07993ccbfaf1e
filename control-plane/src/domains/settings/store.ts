import { eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { settings } from './tables.ts'

/** An area of settings: its name, its schema and what holds until somebody changes it. */
export interface Area<T> {
  readonly name: string
  readonly schema: z.ZodType<T>
  readonly initial: T
}

/** The present settings of an area. What an older release wrote and ours does not know counts as unset. */
export async function readSettings<T extends object>(db: Db, area: Area<T>): Promise<T> {
  const [row] = await db.select().from(settings).where(eq(settings.area, area.name))
  if (!row) return area.initial
  const merged = area.schema.safeParse({ ...area.initial, ...(row.value as object) })
  return merged.success ? merged.data : area.initial
}

export async function writeSettings<T extends object>(db: Db, area: Area<T>, value: T): Promise<T> {
  await db
    .insert(settings)
    .values({ area: area.name, value })
    .onConflictDoUpdate({
      target: settings.area,
      set: { value, revision: sql`${settings.revision} + 1`, updatedAt: sql`now()` },
    })
  return value
}
