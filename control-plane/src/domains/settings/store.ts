import { eq, sql } from 'drizzle-orm'
import { QueryBuilder } from 'drizzle-orm/pg-core'
import type { Area } from '../../catalogue.ts'
import type { Db } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import { settings } from './tables.ts'

const storedValue = prepared<{ value: unknown }, { area: string }>(
  ['value'],
  new QueryBuilder()
    .select({ value: settings.value })
    .from(settings)
    .where(eq(settings.area, sql.placeholder('area'))),
)

/** The current settings of an area. */
export async function readSettings<T extends object>(db: Db, area: Area<T>): Promise<T> {
  const [row] = await storedValue(db, { area: area.name })
  return settingsOf(area, row?.value)
}

/** The same, locked until the transaction ends, for a change that depends on them. */
export async function lockSettings<T extends object>(db: Db, area: Area<T>): Promise<T> {
  await db
    .insert(settings)
    .values({ area: area.name, value: area.initial })
    .onConflictDoNothing({ target: settings.area })
  const [row] = await db
    .select({ value: settings.value })
    .from(settings)
    .where(eq(settings.area, area.name))
    .for('update')
  return settingsOf(area, row?.value)
}

/**
 * Parses stored settings, if any. Settings that this release does not know, or whose values it does
 * not accept, count as unset; the others apply.
 */
export function settingsOf<T extends object>(area: Area<T>, stored: unknown): T {
  if (typeof stored !== 'object' || stored === null) return area.initial
  const merged = area.schema.safeParse({ ...area.initial, ...stored })
  if (merged.success) return merged.data
  const foreign = new Set(
    merged.error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : issue.path[0],
    ),
  )
  const known = Object.entries(stored).filter(([key]) => !foreign.has(key))
  const rest = area.schema.safeParse({ ...area.initial, ...Object.fromEntries(known) })
  return rest.success ? rest.data : area.initial
}

/** Stored value and last change of every area that has been changed. */
export async function listStored(
  db: Db,
): Promise<ReadonlyMap<string, { readonly value: unknown; readonly updatedAt: Date }>> {
  const rows = await db.select().from(settings)
  return new Map(rows.map(({ area, value, updatedAt }) => [area, { value, updatedAt }]))
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

/** Resets an area to its defaults. */
export async function forgetSettings<T>(db: Db, area: Area<T>): Promise<void> {
  await db.delete(settings).where(eq(settings.area, area.name))
}
