import { Report, ReportCsvQuery, ReportQuery } from '@lodge/shared/support/reports.ts'
import { sendCsv } from '../../../http/csv.ts'
import { get } from '../../../http/endpoint.ts'
import { reportAsCsv } from './export.ts'
import { reportOf } from './report.ts'

export const showReport = get('/api/support/reports', {
  summary: 'Figures of the support desk: by day or week, agent, group, category and tier',
  access: { who: 'admin', may: 'support.reports' },
  query: ReportQuery,
  reply: Report,
  handle: ({ ctx, query }) => reportOf(ctx, query),
})

export const exportReport = get('/api/support/reports.csv', {
  summary: 'Figures of the support desk as CSV',
  access: { who: 'admin', may: 'support.reports' },
  query: ReportCsvQuery,
  streams: 'text/csv',
  handle: async ({ ctx, query, http }) =>
    sendCsv(http.reply, 'support-report.csv', await reportAsCsv(ctx, query)),
})
