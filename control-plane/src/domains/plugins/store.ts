import { PluginId } from '@lodge/shared/plugins/manifest.ts'
import { and, asc, eq, getTableColumns, notInArray, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { type PluginRow, type PluginVersionRow, plugins, pluginVersions } from './tables.ts'

const { files: _files, ...aboutVersion } = getTableColumns(pluginVersions)

/** A version without its files. */
export type AboutVersion = Omit<PluginVersionRow, 'files'>
/** A plugin with its present version. */
export interface Installed {
  readonly plugin: PluginRow
  readonly version: AboutVersion
}

const installed = (db: Db) =>
  db
    .select({ plugin: plugins, version: aboutVersion })
    .from(plugins)
    .innerJoin(
      pluginVersions,
      and(eq(pluginVersions.pluginId, plugins.id), eq(pluginVersions.version, plugins.version)),
    )

/** Checked before every query, because PostgreSQL refuses some texts that a path may contain. */
const isId = (id: string): boolean => PluginId.safeParse(id).success

/** All installed plugins, by id. */
export const listInstalled = (db: Db): Promise<Installed[]> =>
  installed(db).orderBy(asc(plugins.id))

export async function findInstalled(db: Db, id: string): Promise<Installed | undefined> {
  if (!isId(id)) return undefined
  const [row] = await installed(db).where(eq(plugins.id, id))
  return row
}

/** A plugin, locked until the transaction ends. */
export async function lockPlugin(db: Db, id: string): Promise<PluginRow | undefined> {
  if (!isId(id)) return undefined
  const [row] = await db.select().from(plugins).where(eq(plugins.id, id)).for('no key update')
  return row
}

/** @returns whether it was inserted; false if it is installed already */
export async function insertPlugin(db: Db, row: typeof plugins.$inferInsert): Promise<boolean> {
  const rows = await db
    .insert(plugins)
    .values(row)
    .onConflictDoNothing({ target: plugins.id })
    .returning({ id: plugins.id })
  return rows.length > 0
}

export async function updatePlugin(
  db: Db,
  id: string,
  change: Partial<typeof plugins.$inferInsert>,
): Promise<void> {
  await db.update(plugins).set(change).where(eq(plugins.id, id))
}

/** @returns false if another instance recorded this version, or the plugin was changed meanwhile */
export async function noteNewest(
  db: Db,
  { id, version }: Pick<PluginRow, 'id' | 'version'>,
  newest: string,
): Promise<boolean> {
  const rows = await db
    .update(plugins)
    .set({ newestVersion: newest })
    .where(
      and(
        eq(plugins.id, id),
        eq(plugins.version, version),
        sql`${plugins.newestVersion} is distinct from ${newest}`,
      ),
    )
    .returning({ id: plugins.id })
  return rows.length > 0
}

/** Changes a plugin so that its process is replaced. */
export async function revisePlugin(
  db: Db,
  id: string,
  change: Partial<typeof plugins.$inferInsert>,
): Promise<void> {
  await db
    .update(plugins)
    .set({ ...change, revision: sql`${plugins.revision} + 1`, updatedAt: sql`now()` })
    .where(eq(plugins.id, id))
}

/** Turns off a plugin that failed too often, unless somebody changed or reinstalled it meanwhile. */
export async function turnOffFailed(
  db: Db,
  { id, revision, installedAt }: Pick<PluginRow, 'id' | 'revision' | 'installedAt'>,
  failure: string,
): Promise<boolean> {
  const rows = await db
    .update(plugins)
    .set({ enabled: false, failure })
    .where(
      and(
        eq(plugins.id, id),
        eq(plugins.revision, revision),
        eq(sql`date_trunc('milliseconds', ${plugins.installedAt})`, installedAt),
        eq(plugins.enabled, true),
      ),
    )
    .returning({ id: plugins.id })
  return rows.length > 0
}

export async function deletePlugin(db: Db, id: string): Promise<void> {
  await db.delete(plugins).where(eq(plugins.id, id))
}

/** Stores a version; replaces an earlier row of the same version. */
export async function putVersion(db: Db, row: typeof pluginVersions.$inferInsert): Promise<void> {
  await db
    .insert(pluginVersions)
    .values(row)
    .onConflictDoUpdate({
      target: [pluginVersions.pluginId, pluginVersions.version],
      set: {
        manifest: row.manifest,
        files: row.files,
        sha256: row.sha256,
        signature: row.signature,
        signedBy: row.signedBy ?? null,
      },
    })
}

export async function findVersion(
  db: Db,
  pluginId: string,
  version: string,
): Promise<PluginVersionRow | undefined> {
  const [row] = await db.select().from(pluginVersions).where(isVersion(pluginId, version))
  return row
}

export async function keepSettings(
  db: Db,
  pluginId: string,
  version: string,
  settings: Buffer,
): Promise<void> {
  await db.update(pluginVersions).set({ settings }).where(isVersion(pluginId, version))
}

/** Deletes all versions of a plugin but these. */
export async function deleteOtherVersions(
  db: Db,
  pluginId: string,
  kept: readonly string[],
): Promise<void> {
  await db
    .delete(pluginVersions)
    .where(
      and(eq(pluginVersions.pluginId, pluginId), notInArray(pluginVersions.version, [...kept])),
    )
}

const isVersion = (pluginId: string, version: string) =>
  and(eq(pluginVersions.pluginId, pluginId), eq(pluginVersions.version, version))
