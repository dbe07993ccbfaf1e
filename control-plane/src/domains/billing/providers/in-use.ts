import type { Ctx } from '../../../context.ts'
import { readSettings } from '../../settings/index.ts'
import { countProviderDeletions } from '../charges/provider-deletion-store.ts'
import { billingSettings } from '../settings.ts'
import { waitingOf } from './event-store.ts'

/** Why a plugin cannot be removed: it is in use, or its reports or deletions are unfinished. */
export async function whyInUse(ctx: Ctx, pluginId: string): Promise<string | null> {
  const { tax } = await readSettings(ctx.db, billingSettings)
  if (tax !== null && 'provider' in tax && tax.provider === pluginId)
    return 'It calculates the tax of invoices: choose another tax in the settings of billing first'
  const waiting = await waitingOf(ctx.db, pluginId)
  if (waiting > 0)
    return `${waiting} events that it reported are not settled: wait until they are, or turn it off`
  const kept = await countProviderDeletions(ctx.db, pluginId)
  return kept === 0
    ? null
    : `It still has to delete the payment methods of ${kept} deleted accounts, which takes two days: leave it on until then`
}
