import { RevenueCsvQuery, RevenueQuery, RevenueReport } from '@lodge/shared/billing/revenue.ts'
import { sendCsv } from '../../../http/csv.ts'
import { get } from '../../../http/endpoint.ts'
import { revenueAsCsv } from './export.ts'
import { revenueOf } from './report.ts'

const access = { who: 'admin', may: 'billing.view' } as const

export const showRevenue = get('/api/billing/revenue', {
  summary: 'Revenue and churn by month or week, and by price',
  access,
  query: RevenueQuery,
  reply: RevenueReport,
  handle: ({ ctx, query }) => revenueOf(ctx, query),
})

export const exportRevenue = get('/api/billing/revenue.csv', {
  summary: 'Revenue and churn as CSV',
  access,
  query: RevenueCsvQuery,
  streams: 'text/csv',
  handle: async ({ ctx, query, http }) =>
    sendCsv(http.reply, 'revenue.csv', await revenueAsCsv(ctx, query)),
})
