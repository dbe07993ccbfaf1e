import type { Offer } from '@lodge/shared/vms.ts'
import { and, asc, eq, sql } from 'drizzle-orm'
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

/** @returns undefined when there is one with this id already */
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

/** Removes what failed under this name, so that it can be registered again. */
export async function deleteFailedMedium(db: Db, name: string): Promise<void> {
  await db.delete(vmMedia).where(and(eq(vmMedia.name, name), eq(vmMedia.state, 'failed')))
}

export const listNetworks = (db: Db): Promise<NetworkRow[]> =>
  db.select().from(vmNetworks).orderBy(asc(vmNetworks.name))

export async function findNetwork(db: Db, id: string): Promise<NetworkRow | undefined> {
  const [row] = await db.select().from(vmNetworks).where(eq(vmNetworks.id, id))
  return row
}

/** Whoever adds a network sees all others: two that are added at once must not overlap. */
export async function lockNetworks(db: Db): Promise<NetworkRow[]> {
  await db.execute(sql`lock table ${vmNetworks} in share row exclusive mode`)
  return listNetworks(db)
}

/** Whoever takes an address of a network holds its row. */
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

/** How many addresses of each network are leased. */
export async function leaseCounts(db: Db): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.execute<{ network_id: string; count: number }>(
    sql`select network_id, count(*)::int as count from vm_addresses group by network_id`,
  )
  return new Map(rows.map((row) => [row.network_id, row.count]))
}
