import { isDeepStrictEqual } from 'node:util'
import type { BillingSettings } from '@lodge/shared/billing/billing.ts'
import type { Ctx } from '../../../context.ts'
import { invalid } from '../../../http/input.ts'
import { providersOf } from '../../plugins/index.ts'
import { readSettings, writeSettings } from '../../settings/index.ts'
import { billingSettings } from '../settings.ts'
import { tryAgain } from './record-store.ts'
import { lookAtWaiting } from './wait-store.ts'

const providerOf = ({ tax }: BillingSettings): string | undefined =>
  tax !== null && 'provider' in tax ? tax.provider : undefined

/**
 * Changes the settings of billing; invoices that wait for their tax are tried again with the new
 * ones.
 */
export async function changeSettings(
  ctx: Ctx,
  now: Date,
  wanted: BillingSettings,
): Promise<BillingSettings> {
  const provider = providerOf(wanted)
  const before = await readSettings(ctx.db, billingSettings)
  // A plugin that has been turned off may stay selected while other settings change.
  if (provider !== undefined && provider !== providerOf(before)) {
    const offered = await providersOf(ctx, 'tax')
    if (!offered.some(({ id }) => id === provider))
      throw invalid([
        { pointer: '/tax/provider', detail: 'is not a plugin that calculates tax and is on' },
      ])
  }
  if (!isDeepStrictEqual(wanted.tax, before.tax)) await lookAtWaiting(ctx.db, now)
  await tryAgain(ctx.db, now)
  return writeSettings(ctx.db, billingSettings, wanted)
}
