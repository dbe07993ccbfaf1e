import { type Ctx, contextFor } from '../../../context.ts'
import { oneByOne } from '../../../jobs/one-by-one.ts'
import { Problem } from '../../../problem.ts'
import type { Services } from '../../../services.ts'
import { isOnItsWay, MOST_WAIT_DAYS, notePage } from '../charges/on-its-way.ts'
import {
  claimPage,
  deletePage,
  duePages,
  hurryPages,
  keepPages,
  type PageRow,
  pagesOf,
  updatePage,
} from '../charges/page-store.ts'
import { findInvoice, type InvoiceRow } from '../invoice-store.ts'
import type { Locked } from '../moves.ts'
import { NotSettled } from '../refunds/settled.ts'
import { daysAfter } from '../renewal.ts'
import { isFirst } from '../steps.ts'
import { findSubscription, stepsOf, updateSubscription } from '../subscription-store.ts'
import { waysToPay } from '../ways-to-pay.ts'
import { NotYet, type Taken, takeObject } from './project.ts'

const MINUTE_MS = 60_000
const HOUR_MINUTES = 60
/** Longer than a call of a payment plugin may take: afterwards another control plane takes over. */
const CLAIM_MINUTES = 3
/** How often a page is fetched after a first time an hour after it was opened; hourly if money is on its way. */
const EVERY_DAYS = 1
/** How long after it was opened something may still come of a page. */
const LAST_DAYS = 60
/** How long after it was opened a page takes payments, also of an invoice that needs none any more. */
const OPEN_DAYS = 1

const minutesAfter = (at: Date, minutes: number) => new Date(at.getTime() + minutes * MINUTE_MS)

/** Remembers a page on which invoices may be paid from now on. */
export async function rememberPage(
  ctx: Ctx,
  invoiceIds: readonly string[],
  provider: string,
  ref: string | null,
): Promise<void> {
  if (ref === null || invoiceIds.length === 0) return
  const nextAt = minutesAfter(ctx.now, HOUR_MINUTES)
  const page = { provider, ref, openedAt: ctx.now, nextAt, seenAt: null, processing: false }
  await keepPages(
    ctx.db,
    invoiceIds.map((invoiceId) => ({ invoiceId, ...page })),
  )
}

/**
 * Fetches what became of the pages that are due, each once for all its invoices: a lost webhook would
 * otherwise hide a payment.
 */
export async function fetchPages(services: Services, now = new Date()): Promise<number> {
  const ctx = contextFor(services, { kind: 'system' } as const)
  return oneByOne(services, await duePages(ctx.db, now), async (page) => {
    const claimedUntil = minutesAfter(now, CLAIM_MINUTES)
    const rows = await claimPage(ctx.db, now, page, claimedUntil)
    const waiting = []
    for (const row of rows) if (!(await isOver(ctx, now, row))) waiting.push(row)
    if (waiting.length === 0) return false
    let became: Taken['became'] = 'unused'
    try {
      became = (await takeObject(ctx, now, page.provider, 'checkout', page.ref)).became
    } catch (error) {
      // The provider answered, if only that there is nothing yet.
      if (!(error instanceof NotYet)) {
        await updatePage(ctx.db, page, { nextAt: minutesAfter(now, HOUR_MINUTES) }, claimedUntil)
        if (error instanceof Problem || error instanceof NotSettled) return false
        throw error
      }
    }
    const nextAt = daysAfter(now, EVERY_DAYS)
    await notePage(ctx.db, now, page, became === 'processing', { claimedUntil, nextAt })
    await seen(ctx, now, waiting, became)
    return true
  })
}

/**
 * Forgets a page of which nothing can come any more, whether or not its provider answers. Money may come of
 * one whose invoice is void, or was paid in another way: it goes to the balance. Such a page is given up a day
 * after it has closed.
 */
async function isOver(ctx: Ctx, now: Date, page: PageRow): Promise<boolean> {
  const { invoiceId, openedAt, processing } = page
  const isOpen = processing || (await findInvoice(ctx.db, invoiceId))?.status === 'open'
  const over = now >= daysAfter(openedAt, isOpen ? LAST_DAYS : OPEN_DAYS + 1)
  if (over) await deletePage(ctx.db, page)
  return over
}

async function seen(
  ctx: Ctx,
  now: Date,
  rows: readonly PageRow[],
  became: Taken['became'],
): Promise<void> {
  for (const row of rows) {
    const invoice = await findInvoice(ctx.db, row.invoiceId)
    if (invoice?.status !== 'open') {
      const mayBecome = became === 'unused' && now < daysAfter(row.openedAt, OPEN_DAYS)
      if (became !== 'processing' && !mayBecome) await deletePage(ctx.db, row)
      continue
    }
    const id = invoice.subscriptionId
    const subscription = id === null ? undefined : await findSubscription(ctx.db, id)
    // What waited for it goes on.
    if (subscription && subscription.nextAt !== null)
      await updateSubscription(ctx.db, now, subscription.id, { nextAt: now })
  }
}

/**
 * Whether an invoice may have been paid on a page of a provider without anybody here knowing: its pages
 * are fetched once more before a subscription is suspended or ended because of it.
 * @param since when that became due
 */
export async function mayBePaid(
  ctx: Ctx,
  now: Date,
  locked: Locked,
  invoice: InvoiceRow | undefined,
  since: Date,
): Promise<boolean> {
  if (!invoice) return false
  const providers = (await waysToPay(ctx)).map(({ id }) => id)
  const pages = await pagesOf(ctx.db, invoice.id, providers)
  if (pages.some((page) => isOnItsWay(now, page))) return true
  if (pages.every(({ seenAt }) => seenAt !== null && seenAt >= since)) return false
  const begun = (await stepsOf(ctx.db, locked.row.id, since)).get(FETCHED)
  if (begun) return now < daysAfter(begun, MOST_WAIT_DAYS)
  await isFirst(ctx, now, locked, FETCHED, since)
  await hurryPages(ctx.db, now, invoice.id, providers)
  return true
}
const FETCHED = 'pages_fetched'
