import type { Db } from '../../../db/database.ts'
import { type PageRow, processingPages } from './page-store.ts'

const DAY_MS = 86_400_000
/** How many days nothing happens to an invoice because a provider does not say what was paid. */
export const MOST_WAIT_DAYS = 3

/** Whether a page says that money is on its way, and its provider still answers. */
export const isOnItsWay = (
  now: Date,
  { processing, seenAt }: Pick<PageRow, 'processing' | 'seenAt'>,
): boolean =>
  processing && seenAt !== null && now.getTime() < seenAt.getTime() + MOST_WAIT_DAYS * DAY_MS

/** Those of these invoices whose money is on its way from the page of a provider. */
export async function withMoneyOnItsWay(
  db: Db,
  now: Date,
  invoiceIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const pages = await processingPages(db, invoiceIds)
  return new Set(pages.filter((page) => isOnItsWay(now, page)).map(({ invoiceId }) => invoiceId))
}
