import { asc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { type PluginDeliveryRow, pluginDeliveries } from './tables.ts'

export const ANY_DUE = 'select from plugin_deliveries where due_at <= now()'

const MOST_AT_ONCE = 10
/**
 * How long other instances leave claimed events alone: longer than a plugin may take for that many
 * calls.
 */
const TAKEN_SECONDS = 180

export async function insertDeliveries(
  db: Db,
  rows: (typeof pluginDeliveries.$inferInsert)[],
): Promise<void> {
  await db.insert(pluginDeliveries).values(rows)
}

/** Claims due events, in the order in which they happened. */
export async function takeDue(db: Db): Promise<PluginDeliveryRow[]> {
  const due = db
    .select({ id: pluginDeliveries.id })
    .from(pluginDeliveries)
    .where(sql`${pluginDeliveries.dueAt} <= now()`)
    .orderBy(asc(pluginDeliveries.id))
    .limit(MOST_AT_ONCE)
    .for('update', { skipLocked: true })
  const taken = await db
    .update(pluginDeliveries)
    .set({
      attempts: sql`${pluginDeliveries.attempts} + 1`,
      dueAt: sql`now() + make_interval(secs => ${TAKEN_SECONDS})`,
    })
    .where(sql`${pluginDeliveries.id} in (${due})`)
    .returning()
  return taken.toSorted((a, b) => a.id.localeCompare(b.id))
}

export async function postpone(db: Db, id: string, ms: number): Promise<void> {
  await db
    .update(pluginDeliveries)
    .set({ dueAt: sql`now() + make_interval(secs => ${ms / 1000})` })
    .where(eq(pluginDeliveries.id, id))
}

/** Releases events that were claimed and not tried. */
export async function putBack(db: Db, ids: readonly string[], ms: number): Promise<void> {
  if (ids.length === 0) return
  await db
    .update(pluginDeliveries)
    .set({
      attempts: sql`${pluginDeliveries.attempts} - 1`,
      dueAt: sql`now() + make_interval(secs => ${ms / 1000})`,
    })
    .where(inArray(pluginDeliveries.id, [...ids]))
}

export async function deleteDelivery(db: Db, id: string): Promise<void> {
  await db.delete(pluginDeliveries).where(eq(pluginDeliveries.id, id))
}
