import { contextFor } from '../../../context.ts'
import { inTurn } from '../../../db/advisory-locks.ts'
import type { Services } from '../../../services.ts'
import { callPlugin, PluginCallFailed } from '../../plugins/index.ts'
import { paymentTurn } from '../payment-turn.ts'
import { NotSettled } from '../refunds/settled.ts'
import { waysToPay } from '../ways-to-pay.ts'
import { paymentsToLookAt, seePayment } from './payment-store.ts'
import { takePayment } from './project.ts'
import { lookForMethods } from './saved-methods.ts'

/**
 * Looks for payment methods that a trial waits for, and fetches payments once a day for as long as
 * they may be disputed: a lost webhook would otherwise hide them, or a refund or dispute. A payment
 * that cannot be fetched is tried again the next day.
 */
export async function refetchPayments(services: Services, now = new Date()): Promise<number> {
  const ctx = contextFor(services, { kind: 'system' } as const)
  const providers = (await waysToPay(ctx)).map(({ id }) => id)
  await lookForMethods(services, ctx)
  const due = await paymentsToLookAt(ctx.db, now, providers)
  for (const { id, provider, externalRef } of due) {
    // Marked first, so that one that fails does not hold up the others.
    if (!(await seePayment(ctx.db, id, now)) || externalRef === null) continue
    try {
      await inTurn(ctx.db, paymentTurn(provider, externalRef), async () => {
        const { object } = await callPlugin(ctx, provider, 'payment.fetch', {
          ...{ kind: 'payment', ref: externalRef },
        })
        if (object?.kind === 'payment') await takePayment(ctx, now, provider, object)
      })
    } catch (error) {
      if (!(error instanceof PluginCallFailed || error instanceof NotSettled))
        services.log.error({ err: error, payment: id }, 'a payment was not looked at')
    }
  }
  return due.length
}
