import type { Branding } from '@lodge/shared/branding.ts'
import { and, desc, eq, lte, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import {
  type BrandingImageRow,
  type BrandingVersionRow,
  brandingImages,
  brandingVersions,
  toldAnnouncements,
} from './tables.ts'

export async function newestVersion(db: Db): Promise<BrandingVersionRow | undefined> {
  const [row] = await db
    .select()
    .from(brandingVersions)
    .orderBy(desc(brandingVersions.revision))
    .limit(1)
  return row
}

export const listVersions = (db: Db): Promise<BrandingVersionRow[]> =>
  db.select().from(brandingVersions).orderBy(desc(brandingVersions.revision))

export async function findVersion(db: Db, id: string): Promise<BrandingVersionRow | undefined> {
  const [row] = await db.select().from(brandingVersions).where(eq(brandingVersions.id, id))
  return row
}

export const insertVersion = (
  db: Db,
  row: typeof brandingVersions.$inferInsert,
): Promise<unknown> => db.insert(brandingVersions).values(row)

/** Deletes the versions up to a revision. */
export const deleteVersions = (db: Db, upTo: number): Promise<unknown> =>
  db.delete(brandingVersions).where(lte(brandingVersions.revision, upTo))

/** An image that exists counts as uploaded just now. */
export const keepImage = (db: Db, row: typeof brandingImages.$inferInsert): Promise<unknown> =>
  db
    .insert(brandingImages)
    .values(row)
    .onConflictDoUpdate({
      target: [brandingImages.kind, brandingImages.sha],
      set: { createdAt: sql`now()` },
    })

export async function findImage(
  db: Db,
  kind: string,
  sha: string,
): Promise<BrandingImageRow | undefined> {
  const [row] = await db
    .select()
    .from(brandingImages)
    .where(and(eq(brandingImages.kind, kind), eq(brandingImages.sha, sha)))
  return row
}

/** Locks the images of a document until the transaction ends. @returns the kinds that are missing */
export async function missingImages(db: Db, images: Branding['images']): Promise<string[]> {
  const wanted = Object.entries(images).filter(([, sha]) => sha !== null)
  const missing: string[] = []
  for (const [kind, sha] of wanted) {
    const { rows } = await db.execute<object>(
      sql`select from branding_images where kind = ${kind} and sha = ${sha} for share`,
    )
    if (rows.length === 0) missing.push(kind)
  }
  return missing
}

/** Deletes images that no stored version uses and that were uploaded more than a week ago. */
export async function deleteOrphans(db: Db): Promise<number> {
  const { rows } = await db.execute<object>(sql`
    delete from branding_images image where created_at < now() - interval '7 days' and not exists (
      select from branding_versions version where version.document->'images'->>image.kind = image.sha)
    returning 1`)
  return rows.length
}

/** True for the first caller per announcement, who then notifies. */
export async function mayTell(db: Db, id: string): Promise<boolean> {
  const rows = await db
    .insert(toldAnnouncements)
    .values({ id })
    .onConflictDoNothing()
    .returning({ id: toldAnnouncements.id })
  return rows.length > 0
}
