import type { Db } from '../../../db/database.ts'
import { type Page, type PageRow, processingPages, updatePage } from './page-store.ts'

const DAY_MS = 86_400_000
/** How many days nothing happens to an invoice because a provider does not say what was paid. */
export const MOST_WAIT_DAYS = 3

/** Whether a page says that money is on its way, and its provider still answers. */
export const isOnItsWay = (
  now: Date,
  { processing, seenAt }: Pick<PageRow, 'processing' | 'seenAt'>,
): boolean =>
  processing && seenAt !== null && now.getTime() < seenAt.getTime() + MOST_WAIT_DAYS * DAY_MS

/** How often a page is fetched while money is on its way: that it failed may be reported of its payment only. */
const LOOK_MS = 3_600_000

/**
 * Notes what a provider said of a page.
 * @param fetched for a page that was claimed: until when, and when to fetch it next if no money is on its way. What
 * is noted of a payment meanwhile is newer than that.
 */
export const notePage = (
  db: Db,
  now: Date,
  page: Page,
  processing: boolean,
  fetched?: { readonly claimedUntil: Date; readonly nextAt: Date },
): Promise<void> => {
  const nextAt = processing ? new Date(now.getTime() + LOOK_MS) : fetched?.nextAt
  const change = { processing, seenAt: now, ...(nextAt && { nextAt }) }
  return updatePage(db, page, change, fetched?.claimedUntil)
}

/** Those of these invoices whose money is on its way from the page of a provider. */
export async function withMoneyOnItsWay(
  db: Db,
  now: Date,
  invoiceIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const pages = await processingPages(db, invoiceIds)
  return new Set(pages.filter((page) => isOnItsWay(now, page)).map(({ invoiceId }) => invoiceId))
}
