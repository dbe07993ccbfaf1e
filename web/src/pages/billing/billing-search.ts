import { viewSearch } from '../../routes/list-search.ts'
import { given, type Raw, text } from '../../routes/search.ts'

/** The id of a plan that is sold only through its link. */
export const storeSearch = (raw: Raw) => given({ plan: text(raw.plan) })

export const REVENUE_RANGES = ['12w', '12m', '24m', '60m'] as const
export type RevenueRange = (typeof REVENUE_RANGES)[number]

/** How many weeks or months the report of revenue covers, and its currency. */
export const revenueSearch = (raw: Raw) =>
  given({
    range: REVENUE_RANGES.find((one) => one === raw.range),
    currency: text(raw.currency),
  })
export type RevenueSearch = ReturnType<typeof revenueSearch>

/** Filter and page of a list, always the newest first. */
export const filteredSearch = viewSearch<never>([])

/** The cursor of a list. */
export const pagedSearch = (raw: Raw) => given({ after: text(raw.after) })
