import { TaxState } from '@lodge/shared/billing/tax-state.ts'
import { get } from '../../../http/endpoint.ts'
import { providersOf } from '../../plugins/index.ts'
import { listUnrecorded } from '../tax/record-store.ts'
import { listWaits } from '../tax/wait-store.ts'

export const showTaxState = get('/api/billing/tax', {
  summary: 'Plugins that calculate tax, and what waits for its tax or to be recorded',
  access: { who: 'admin', may: 'billing.view' },
  reply: TaxState,
  handle: async ({ ctx }) => {
    const rows = await listWaits(ctx.db)
    const unrecorded = await listUnrecorded(ctx.db)
    return {
      providers: await providersOf(ctx, 'tax'),
      waiting: rows.map(({ count: _, since, nextAt, ...row }) => ({
        ...row,
        since: since.toISOString(),
        nextAt: nextAt?.toISOString() ?? null,
      })),
      waitingCount: rows[0]?.count ?? 0,
      unrecorded: unrecorded.map(({ count: _, buyer, at, nextAt, failure, ...row }) => ({
        ...{ ...row, email: buyer.email, failure: failure ?? '' },
        at: at.toISOString(),
        nextAt: nextAt?.toISOString() ?? null,
      })),
      unrecordedCount: unrecorded[0]?.count ?? 0,
    }
  },
})
