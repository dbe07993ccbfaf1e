import type { Offer } from '@lodge/shared/vms.ts'
import { and, asc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import {
  type MediumRow,
  type NetworkRow,
  type ProfileRow,
  vmMedia,
  vmNetworks,
  vmProfiles,
} from './tables.ts'

export const listProfiles = (db: Db): Promise<ProfileRow[]> =>
  db.select().from(vmProfiles).orderBy(asc(vmProfiles.name))

export async function findProfile(db: Db, id: string): Promise<ProfileRow | undefined> {
  const [row] = await db.select().from(vmProfiles).where(eq(vmProfiles.id, id))
  return row
}

/** @returns undefined if this id exists already */
export async function insertProfile(
  db: Db,
  row: typeof vmProfiles.$inferInsert,
): Promise<ProfileRow | undefined> {
  const [inserted] = await db
    .insert(vmProfiles)
    .values(row)
    .onConflictDoNothing({ target: vmProfiles.id })
    .returning()
  return inserted
}

export async function offerProfile(db: Db, id: string, offer: Offer): Promise<void> {
  await db.update(vmProfiles).set(offer).where(eq(vmProfiles.id, id))
}

export const listMedia = (db: Db): Promise<MediumRow[]> =>
  db.select().from(vmMedia).orderBy(asc(vmMedia.name))

export async function findMedium(db: Db, id: string): Promise<MediumRow | undefined> {
  const [row] = await db.select().from(vmMedia).where(eq(vmMedia.id, id))
  return row
}

export async function insertMedium(db: Db, row: typeof vmMedia.$inferInsert): Promise<MediumRow> {
  const [inserted] = await db.insert(vmMedia).values(row).returning()
  return inserted as MediumRow
}

export async function updateMedium(
  db: Db,
  id: string,
  change: Partial<MediumRow>,
): Promise<MediumRow | undefined> {
  const [row] = await db.update(vmMedia).set(change).where(eq(vmMedia.id, id)).returning()
  return row
}

/**
 * Locks all media: concurrent announcements must see each other, because they share the available
 * space.
 */
export async function lockMedia(db: Db): Promise<void> {
  await db.execute(sql`lock table ${vmMedia} in share row exclusive mode`)
}

/** Locks the row until the transaction ends. */
export async function lockMedium(db: Db, id: string): Promise<MediumRow | undefined> {
  const [row] = await db.select().from(vmMedia).where(eq(vmMedia.id, id)).for('update')
  return row
}

export const deleteMedium = (db: Db, id: string) => db.delete(vmMedia).where(eq(vmMedia.id, id))

export const unfinishedUploads = (db: Db): Promise<MediumRow[]> =>
  db.select().from(vmMedia).where(eq(vmMedia.state, 'uploading'))

/** Discards an upload. False if it was completed meanwhile. */
export async function deleteUpload(db: Db, id: string): Promise<boolean> {
  const gone = await db
    .delete(vmMedia)
    .where(and(eq(vmMedia.id, id), eq(vmMedia.state, 'uploading')))
    .returning({ id: vmMedia.id })
  return gone.length > 0
}

/** Bytes of all media whose files the control plane has. */
export async function keptBytes(db: Db): Promise<number> {
  const [row] = await db
    .select({ bytes: sql<string>`coalesce(sum(${vmMedia.sizeBytes}), 0)` })
    .from(vmMedia)
    .where(eq(vmMedia.kept, true))
  return Number(row?.bytes ?? 0)
}

/** Media whose files the control plane receives or checks. */
export const arrivingMedia = (db: Db): Promise<MediumRow[]> =>
  db
    .select()
    .from(vmMedia)
    .where(
      and(
        eq(vmMedia.kept, false),
        inArray(vmMedia.state, ['uploading', 'checking']),
        or(isNull(vmMedia.url), isNotNull(vmMedia.checksumUrl)),
      ),
    )

/** Names of files that belong to a medium: fingerprints of kept ones, ids of arriving ones. */
export async function filesOfMedia(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ id: vmMedia.id, sha256: vmMedia.sha256, kept: vmMedia.kept, state: vmMedia.state })
    .from(vmMedia)
  return new Set(
    rows.flatMap(({ id, sha256, kept, state }) => [
      ...(kept || state === 'checking' ? [sha256 ?? ''] : []),
      ...(state === 'uploading' || state === 'checking' ? [id] : []),
    ]),
  )
}

/** Fingerprints of every medium that may still be needed. */
export async function knownFingerprints(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db.select({ sha256: vmMedia.sha256 }).from(vmMedia)
  return new Set(rows.flatMap(({ sha256 }) => sha256 ?? []))
}

/** Removes failed media of this name, so that it can be registered again. */
export async function deleteFailedMedium(db: Db, name: string): Promise<void> {
  await db.delete(vmMedia).where(and(eq(vmMedia.name, name), eq(vmMedia.state, 'failed')))
}

export const listNetworks = (db: Db): Promise<NetworkRow[]> =>
  db.select().from(vmNetworks).orderBy(asc(vmNetworks.name))

export async function findNetwork(db: Db, id: string): Promise<NetworkRow | undefined> {
  const [row] = await db.select().from(vmNetworks).where(eq(vmNetworks.id, id))
  return row
}

/** Locks all networks: two concurrent additions must not overlap. */
export async function lockNetworks(db: Db): Promise<NetworkRow[]> {
  await db.execute(sql`lock table ${vmNetworks} in share row exclusive mode`)
  return listNetworks(db)
}

/** Callers that lease an address of a network lock its row. */
export async function lockNetwork(db: Db, id: string): Promise<NetworkRow | undefined> {
  const [row] = await db.select().from(vmNetworks).where(eq(vmNetworks.id, id)).for('no key update')
  return row
}

export async function insertNetwork(
  db: Db,
  row: typeof vmNetworks.$inferInsert,
): Promise<NetworkRow> {
  const [inserted] = await db.insert(vmNetworks).values(row).returning()
  return inserted as NetworkRow
}

export async function offerNetwork(db: Db, id: string, offer: Offer): Promise<void> {
  await db.update(vmNetworks).set(offer).where(eq(vmNetworks.id, id))
}

export const deleteNetwork = (db: Db, id: string) =>
  db.delete(vmNetworks).where(eq(vmNetworks.id, id))

export const deleteProfile = (db: Db, id: string) =>
  db.delete(vmProfiles).where(eq(vmProfiles.id, id))
