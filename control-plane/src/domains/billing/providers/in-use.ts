import type { Ctx } from '../../../context.ts'
import { farewellsOf } from '../charges/farewell-store.ts'
import { waitingOf } from './event-store.ts'

/** Why a payment plugin must stay: what it reported, or what it has to delete, would be left. */
export async function whyInUse(ctx: Ctx, pluginId: string): Promise<string | null> {
  const waiting = await waitingOf(ctx.db, pluginId)
  if (waiting > 0)
    return `${waiting} events that it reported are not settled: wait until they are, or turn it off`
  const kept = await farewellsOf(ctx.db, pluginId)
  return kept === 0
    ? null
    : `It still has to delete the payment methods of ${kept} deleted accounts, which takes two days: leave it on until then`
}
