import { and, asc, eq, inArray, isNull, lt, lte, or } from 'drizzle-orm'
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
  change: Pick<PageRow, 'nextAt' | 'seenAt'>,
): Promise<void> {
  await db.update(providerPages).set(change).where(isPage(page))
}

export async function deletePage(db: Db, page: PageRow): Promise<void> {
  await db.delete(providerPages).where(isPage(page))
}

const isStale = (invoiceId: string, providers: readonly string[], since: Date) =>
  and(
    eq(providerPages.invoiceId, invoiceId),
    inArray(providerPages.provider, [...providers]),
    or(isNull(providerPages.seenAt), lt(providerPages.seenAt, since)),
  )

/** Whether an invoice has pages of these providers that were not fetched since then. */
export async function hasStalePages(
  db: Db,
  invoiceId: string,
  providers: readonly string[],
  since: Date,
): Promise<boolean> {
  if (providers.length === 0) return false
  const rows = await db
    .select({ ref: providerPages.ref })
    .from(providerPages)
    .where(isStale(invoiceId, providers, since))
    .limit(1)
  return rows.length > 0
}

/** Has the pages of an invoice that were not fetched since then fetched now. */
export async function hurryPages(
  db: Db,
  now: Date,
  invoiceId: string,
  providers: readonly string[],
  since: Date,
): Promise<void> {
  await db
    .update(providerPages)
    .set({ nextAt: now })
    .where(isStale(invoiceId, providers, since))
}
