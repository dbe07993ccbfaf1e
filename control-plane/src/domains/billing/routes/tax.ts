import { TaxState } from '@lodge/shared/billing/billing.ts'
import { get } from '../../../http/endpoint.ts'
import { providersOf } from '../../plugins/index.ts'
import { listWaits } from '../tax/wait-store.ts'

export const showTaxState = get('/api/billing/tax', {
  summary: 'Plugins that calculate tax, and the invoices that wait for theirs',
  access: { who: 'admin', may: 'billing.view' },
  reply: TaxState,
  handle: async ({ ctx }) => {
    const rows = await listWaits(ctx.db)
    return {
      providers: await providersOf(ctx, 'tax'),
      waiting: rows.map(({ count: _, since, nextAt, ...row }) => ({
        ...row,
        since: since.toISOString(),
        nextAt: nextAt?.toISOString() ?? null,
      })),
      waitingCount: rows[0]?.count ?? 0,
    }
  },
})
