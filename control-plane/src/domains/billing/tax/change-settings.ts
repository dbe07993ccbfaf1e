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

/** Changes the settings of billing; what waits for its tax is looked at with the new ones. */
export async function changeSettings(
  ctx: Ctx,
  now: Date,
  wanted: BillingSettings,
): Promise<BillingSettings> {
  const provider = providerOf(wanted)
  const before = await readSettings(ctx.db, billingSettings)
  // One that is off by now may stay while something else is changed.
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
