import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
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

/** A page of a provider, on which several invoices may be paid in one sum. */
export type Page = Pick<PageRow, 'provider' | 'ref'>

const isPage = ({ provider, ref }: Page) =>
  and(eq(providerPages.provider, provider), eq(providerPages.ref, ref))

const isRow = (row: PageRow) => and(isPage(row), eq(providerPages.invoiceId, row.invoiceId))

/**
 * Takes a page that is due until then, for all its invoices.
 * @returns a row for each of them; none if the page is not due any more, as another control plane has it
 */
export const claimPage = (db: Db, now: Date, page: PageRow, until: Date): Promise<PageRow[]> => {
  // In this order, so that two control planes wait for each other instead of blocking each other.
  const locked = db
    .select({ invoiceId: providerPages.invoiceId, nextAt: providerPages.nextAt })
    .from(providerPages)
    .where(isPage(page))
    .orderBy(asc(providerPages.invoiceId))
    .for('update')
    .as('locked')
  const isDue = and(eq(locked.invoiceId, page.invoiceId), lte(locked.nextAt, now))
  return db
    .update(providerPages)
    .set({ nextAt: until })
    .where(and(isPage(page), sql`(select bool_or(${isDue}) from ${locked})`))
    .returning()
}

/** @param claimedUntil leaves the page alone if somebody wrote to it since it was claimed until then */
export async function updatePage(
  db: Db,
  page: Page,
  change: Partial<Pick<PageRow, 'nextAt' | 'seenAt' | 'processing'>>,
  claimedUntil?: Date,
): Promise<void> {
  const isSame = claimedUntil && eq(providerPages.nextAt, claimedUntil)
  await db
    .update(providerPages)
    .set(change)
    .where(and(isPage(page), isSame))
}

/** Forgets that one of its invoices may be paid on a page. */
export async function deletePage(db: Db, row: PageRow): Promise<void> {
  await db.delete(providerPages).where(isRow(row))
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

/** The pages of these invoices from which money is on its way. */
export async function processingPages(
  db: Db,
  invoiceIds: readonly string[],
): Promise<Pick<PageRow, 'invoiceId' | 'seenAt' | 'processing'>[]> {
  if (invoiceIds.length === 0) return []
  const { invoiceId, seenAt, processing } = providerPages
  return db
    .select({ invoiceId, seenAt, processing })
    .from(providerPages)
    .where(and(inArray(invoiceId, [...invoiceIds]), processing))
}

const isAmong = (invoiceId: string, providers: readonly string[]) =>
  and(eq(providerPages.invoiceId, invoiceId), inArray(providerPages.provider, [...providers]))

/**
 * Notes what a provider said of a payment of an invoice, which does not name its page: money for the invoice is
 * on its way, or not any more. Has its pages fetched now, which tells for what else the money is.
 */
export async function notePayment(
  db: Db,
  now: Date,
  invoiceId: string,
  provider: string,
  processing: boolean,
): Promise<void> {
  if (processing)
    await db
      .update(providerPages)
      .set({ processing, seenAt: now })
      .where(isAmong(invoiceId, [provider]))
  await hurryPages(db, now, invoiceId, [provider])
}

/** Has the pages of an invoice fetched now, each for all invoices that it is for. */
export async function hurryPages(
  db: Db,
  now: Date,
  invoiceId: string,
  providers: readonly string[],
): Promise<void> {
  await db.update(providerPages).set({ nextAt: now }).where(isAmong(invoiceId, providers))
}
