import { and, asc, eq, inArray, lte } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { providerPages } from './tables.ts'

export type PageRow = typeof providerPages.$inferSelect

/** Stores pages that were opened; one that is known already stays as it is. */
export const keepPages = (db: Db, rows: readonly PageRow[]): Promise<unknown> =>
  db
    .insert(providerPages)
    .values([...rows])
    .onConflictDoNothing()

export const ANY_PAGE = 'select from provider_pages where next_at <= now()'
const MOST_AT_ONCE = 20

export const duePages = (db: Db, now: Date): Promise<PageRow[]> =>
  db
    .select()
    .from(providerPages)
    .where(lte(providerPages.nextAt, now))
    .orderBy(asc(providerPages.nextAt))
    .limit(MOST_AT_ONCE)

const isPage = ({ invoiceId, provider, ref }: PageRow) =>
  and(
    eq(providerPages.invoiceId, invoiceId),
    eq(providerPages.provider, provider),
    eq(providerPages.ref, ref),
  )

/** Takes a page that is due until then; false if another control plane has it. */
export async function claimPage(db: Db, now: Date, page: PageRow, until: Date): Promise<boolean> {
  const rows = await db
    .update(providerPages)
    .set({ nextAt: until })
    .where(and(isPage(page), lte(providerPages.nextAt, now)))
    .returning({ ref: providerPages.ref })
  return rows.length > 0
}

export async function updatePage(
  db: Db,
  page: PageRow,
  change: Pick<PageRow, 'nextAt'> & Partial<Pick<PageRow, 'seenAt' | 'processing'>>,
): Promise<void> {
  await db.update(providerPages).set(change).where(isPage(page))
}

export async function deletePage(db: Db, page: PageRow): Promise<void> {
  await db.delete(providerPages).where(isPage(page))
}

/** What may still come of the pages of an invoice at these providers. */
export async function pagesOf(
  db: Db,
  invoiceId: string,
  providers: readonly string[],
): Promise<Pick<PageRow, 'seenAt' | 'processing'>[]> {
  if (providers.length === 0) return []
  const { seenAt, processing } = providerPages
  return db.select({ seenAt, processing }).from(providerPages).where(isAmong(invoiceId, providers))
}

const isAmong = (invoiceId: string, providers: readonly string[]) =>
  and(eq(providerPages.invoiceId, invoiceId), inArray(providerPages.provider, [...providers]))

/** Has the pages of an invoice fetched now. */
export async function hurryPages(
  db: Db,
  now: Date,
  invoiceId: string,
  providers: readonly string[],
): Promise<void> {
  await db.update(providerPages).set({ nextAt: now }).where(isAmong(invoiceId, providers))
}
