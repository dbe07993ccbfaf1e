import { PanelImport } from '@lodge/shared/billing/imports.ts'
import { z } from 'zod'
import { cutPage, decodeCursor, pageOf, pageQuery } from '../../../db/cursor.ts'
import { get } from '../../../http/endpoint.ts'
import { describeImport, newestImports } from './history-store.ts'

export const listImports = get('/api/billing/imports', {
  summary: 'Imports from other panels and what looks at them found, the newest first',
  access: { who: 'admin', may: 'billing.view' },
  query: z.object(pageQuery),
  reply: pageOf(PanelImport),
  handle: async ({ ctx, query: { limit, after } }) => {
    const [, last] = decodeCursor(after) ?? []
    const rows = await newestImports(ctx.db, { after: last, limit: limit + 1 })
    const { items, nextCursor } = cutPage(rows, limit, ({ id }) => ['', id])
    return { items: items.map((row) => describeImport(row, ctx.now)), nextCursor }
  },
})
