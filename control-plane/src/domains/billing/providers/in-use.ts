import type { Ctx } from '../../../context.ts'
import { waitingOf } from './event-store.ts'

/** Why a payment plugin must stay: what it reported could no longer be fetched. */
export async function whyInUse(ctx: Ctx, pluginId: string): Promise<string | null> {
  const waiting = await waitingOf(ctx.db, pluginId)
  return waiting === 0
    ? null
    : `${waiting} events that it reported are not settled: wait until they are, or turn it off`
}
