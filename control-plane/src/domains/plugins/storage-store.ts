import { and, eq, ne, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { pluginStorage } from './tables.ts'

const isKey = (pluginId: string, key: string) =>
  and(eq(pluginStorage.pluginId, pluginId), eq(pluginStorage.key, key))

export async function readStored(db: Db, pluginId: string, key: string): Promise<string | null> {
  const [row] = await db
    .select({ value: pluginStorage.value })
    .from(pluginStorage)
    .where(isKey(pluginId, key))
  return row?.value ?? null
}

/** Bytes that a plugin stores under all other keys. */
export async function storedBytesBeside(db: Db, pluginId: string, key: string): Promise<number> {
  const bytes = sql<string>`coalesce(sum(octet_length(${pluginStorage.key}) + octet_length(${pluginStorage.value})), 0)`
  const [row] = await db
    .select({ bytes })
    .from(pluginStorage)
    .where(and(eq(pluginStorage.pluginId, pluginId), ne(pluginStorage.key, key)))
  return Number(row?.bytes ?? 0)
}

export async function writeStored(
  db: Db,
  pluginId: string,
  key: string,
  value: string,
): Promise<void> {
  await db
    .insert(pluginStorage)
    .values({ pluginId, key, value })
    .onConflictDoUpdate({
      target: [pluginStorage.pluginId, pluginStorage.key],
      set: { value },
    })
}

export async function deleteStored(db: Db, pluginId: string, key: string): Promise<void> {
  await db.delete(pluginStorage).where(isKey(pluginId, key))
}
